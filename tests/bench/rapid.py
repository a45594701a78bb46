"""Cost of one decision of the rapid planner in pools of 20 and 2,000 players: see `make bench`."""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from random import Random
from statistics import median
from time import perf_counter

from tables.ring.engine.rapid import (
    RapidHand,
    RapidPlayer,
    RapidTerms,
    RapidView,
    plan_rapid_hand,
)
from tests.bench.shared.report import note
from tests.tables.ring.engine.rapid_pool import count_blinds

POOLS = (20, 2_000)
DECISIONS = 3_000
WARM_UP = 300
TERMS = RapidTerms(seats_max=6, pool_min=6, wait_ms=3_000)


def main() -> None:
    """Measure pools in which all players of a hand are ready again after it."""
    numbers = {f"rapid.decision_us.{players}": decision_us(players) for players in POOLS}
    numbers["rapid.ratio_2000"] = round(
        numbers["rapid.decision_us.2000"] / numbers["rapid.decision_us.20"], 2
    )
    note(numbers)


def decision_us(players: int) -> float:
    """Return the median us to read the longest ready players and to plan their hand."""
    lot = Random(players)
    # Players in the order of readiness, as an index of the database has them.
    ready = OrderedDict(
        (number, RapidPlayer(number, number, number % 6)) for number in range(players)
    )
    spans = []
    for now_ms in range(players, players + DECISIONS):
        began_s = perf_counter()
        view = RapidView(tuple(islice(ready.values(), TERMS.seats_max)), players, now_ms)
        hand = plan_rapid_hand(view, TERMS, shuffle=lambda rest: lot.sample(rest, len(rest)))
        spans.append(perf_counter() - began_s)
        assert isinstance(hand, RapidHand)
        for entry in hand.entries.values():
            ready[entry] = count_blinds(ready.pop(entry), hand)._replace(ready_ms=now_ms)
    return round(median(spans[WARM_UP:]) * 1e6, 1)


if __name__ == "__main__":
    main()
