"""Tests of what pages read."""
