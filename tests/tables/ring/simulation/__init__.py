"""Tests of simulated ring games."""
