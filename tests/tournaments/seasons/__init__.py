"""Tests of seasons and achievements."""
