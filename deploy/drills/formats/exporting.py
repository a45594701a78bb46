"""Export of every hand of the formats drill as PHH: a folder a run, a file a table."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from django.utils import timezone

from tables.history.released import released_hands
from tables.models import Hand
from tables.records import holding
from tables.ring.money import DIRECTORS as RINGS
from tournaments.locks import DIRECTOR as TOURNAMENT
from tournaments.monitor import hand_files

RELEASED_WITHIN_S = 30.0


def export(directory: Path, tournaments: Mapping[str, int], ring_games: Mapping[str, int]) -> int:
    """Write all hands of these runs, with all cards, once the last was shown; return their number.

    Runs are named; their games are given by their keys.
    """
    give_up_s = time.monotonic() + RELEASED_WITHIN_S
    while Hand.objects.filter(released_at__gt=timezone.now()).exists():
        assert time.monotonic() < give_up_s, "a hand of an ended run is never released"
        time.sleep(0.2)
    games: list[tuple[str, tuple[str, ...], int]] = [
        (name, (TOURNAMENT,), key) for name, key in tournaments.items()
    ]
    games += [(name, RINGS, key) for name, key in ring_games.items()]
    holding.hold_record_key()
    total = 0
    for name, directors, game in games:
        folder = directory / name
        folder.mkdir()
        rows = released_hands().filter(table__director__in=directors, table__game=game)
        total += hand_files.write_rows(rows, folder, "phh", all_cards=True)
    return total
