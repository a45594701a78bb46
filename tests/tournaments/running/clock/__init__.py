"""Tests of the level clock: set by hand, and stopped by what is no play."""
