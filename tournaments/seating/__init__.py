"""Seats of a tournament: draws, balancing, moves, merging, hand-for-hand."""
