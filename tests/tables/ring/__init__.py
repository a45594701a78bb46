"""Tests of ring games."""
