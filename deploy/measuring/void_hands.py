"""Void hands of a tournament, counted by the shards of their tables."""

from __future__ import annotations

from collections import Counter

from django.conf import settings

from tables.fairness.leaves import Fate
from tables.models import SealedDeck
from tables.store import keys
from tournaments.locks import DIRECTOR


def void_by_shard(tournament: int) -> dict[int, int]:
    """Return the number of void hands of a tournament by the shard of their table."""
    rows = SealedDeck.objects.filter(
        fate=Fate.VOID_IN_PLAY, table__director=DIRECTOR, table__game=tournament
    )
    tables = rows.values_list("table", flat=True)
    return dict(
        sorted(Counter(keys.shard(keys.table(one), settings.SHARDS) for one in tables).items())
    )
