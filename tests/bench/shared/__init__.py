"""Rooms, players, settlements and reports that benchmarks share."""
