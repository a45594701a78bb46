"""Tests of faults: killed processes, cut networks, and how play goes on."""
