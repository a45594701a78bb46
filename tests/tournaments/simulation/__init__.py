"""Tests of simulated tournaments and their command."""
