"""Law of statistics: the counters of every player are the sum of the settled hands, once each."""

from __future__ import annotations

from collections.abc import Iterator

from config.sums import add_to
from tables.models import Hand
from tables.records.stored import decode
from tables.statistics.counters import NAMES, HandCounters, count_hand
from tables.statistics.models import PlayerCounts
from tables.statistics.recount import CountsKey
from tests.simulation.laws.new_hands import NewHands


class CountsLaw:
    """Memory of the hands that were counted here, each when it is first seen."""

    def __init__(self) -> None:
        self._hands = NewHands()
        self._sums: dict[CountsKey, HandCounters] = {}

    def look(self) -> Iterator[str]:
        """Return a violation for each row of counters that is not the sum of its hands."""
        for row in self._hands.of(Hand.objects.select_related("table")):
            hand = decode(bytes(row.record))
            for user, counters in count_hand(hand).items():
                variant = hand.setup.rules.variant
                key = CountsKey(user, row.table.director, hand.game, variant)
                add_to(self._sums, key, counters)
        rows = PlayerCounts.objects.values_list("user", "director", "game", "variant", *NAMES)
        stored = {CountsKey(*row[:4]): HandCounters(*row[4:]) for row in rows}
        for key in sorted(stored.keys() | self._sums.keys()):
            if stored.get(key) != self._sums.get(key):
                yield (
                    f"statistics of {key}: {stored.get(key)} are stored,"
                    f" {self._sums.get(key)} played"
                )
