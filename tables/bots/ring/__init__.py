"""Bots at ring tables: sitting down, top-ups, straddles, the waiting list and leaving."""
