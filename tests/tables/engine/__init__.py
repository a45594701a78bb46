"""Tests of the hand engine."""
