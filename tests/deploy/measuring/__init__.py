"""Tests of measurements of a room in play."""
