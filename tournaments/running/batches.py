"""Sizes and pace of the batches in which ticks do long work (docs/decisions/0027)."""

from __future__ import annotations

TABLES = 16
"""Tables that one transaction opens or closes."""

ENTRIES = 100
"""Entries that one transaction refunds."""

NEXT_MS = 50
"""Time from one batch to the next."""

NO_PLACE_MS = 200
"""Time to the next table of a start where a whole batch waits for first hands in a busy room."""

HELD_MS = 100
"""Time until the next tick of a tournament whose row another transaction held."""
