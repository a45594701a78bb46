"""Tests of the pure rules of ring games."""
