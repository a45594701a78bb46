"""Audit of ring games: the money of every chip at a table is in its account."""
