"""Tests of the workers that play tables."""
