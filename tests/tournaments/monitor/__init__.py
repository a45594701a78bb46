"""Tests of the auditor and the report."""
