"""Tests of balancing, moves, merging, hand-for-hand and shootouts."""
