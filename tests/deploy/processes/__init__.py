"""Tests of the supervisor of a room's processes."""
