"""Tests of audits of finished hands from outside."""
