"""Tests of what happens around the hands of one table."""
