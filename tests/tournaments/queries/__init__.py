"""Tests of the queries of pages."""
