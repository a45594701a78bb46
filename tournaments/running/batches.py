"""Sizes and pace of the batches in which ticks do long work (docs/decisions/0027)."""

from __future__ import annotations

TABLES = 16
"""Tables that one transaction opens or closes."""

ENTRIES = 100
"""Entries that one transaction refunds, or pays their shares or prizes."""

LOOKED_AT = 1_000
"""Entries of a finished tournament that one transaction looks through for those to pay."""

NEXT_MS = 50
"""Time from one batch to the next."""

BELLS_FOR_A_TABLE = 4
"""Bells in a crowded settle queue for each table of a start that waits for its first hand there."""

NO_PLACE_MS = 200
"""Time to the next table of a start where as many as may wait for first hands do."""

HELD_MS = 100
"""Time until the next tick of a tournament whose row another transaction held."""
