"""Tests of a whole room with its own processes."""
