"""Lateness of cards-up streams in a room that runs: `python -m tests.bench.retold MINUTES`.

Every event that Redis takes meanwhile is held against the time at which it is due, by the room's
clock: the hand's start, its pauses, and the delay that its first event names. An event before its
time ends the run with an error. ROOM_LOCAL names the folder of the room, unless it is `.local`:
`.local/headless`, or the one that `make overlay-hour` prints.
"""

from __future__ import annotations

import os
import sys
import time


def main(minutes: float) -> int:
    """Measure the room of this environment; return 1 when an event came before its time."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings

    from config.redis import room
    from tables.cardsup.models import Retelling
    from tables.records import holding
    from tables.store import keys
    from tests.tournaments.cardsup import lateness

    holding.hold_record_key()  # hands lie in boxes
    rows = Retelling.objects.exclude(phase="over").filter(is_featured=False)
    streams = {
        str(keys.events(row.stream, settings.SHARDS)).encode(): int(row.table_id or 0)
        for row in rows
    }
    hands: list[lateness.ToldHand] = []
    for hand in lateness.told_hands(room(), streams, time.monotonic() + 60 * minutes):
        hands.append(hand)
        print(f"table {hand.table} hand {hand.hand}: at most {max(hand.late_ms)} ms late")
    if not hands:
        print("no hand was told meanwhile")
        return 1
    print(lateness.spread(hands))
    return int(min(min(hand.late_ms) for hand in hands) < 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
