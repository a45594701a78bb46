"""Tests of the pure tournament rules."""
