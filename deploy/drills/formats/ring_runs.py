"""Ring games of `manage.py formats`: one of each kind, played by one swarm, judged one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Q, Sum

from deploy.cluster.ring_games import JACKPOTS, open_usual
from deploy.drills import ring_games
from tables.models import Hand
from tables.ring.models import RingGame, RingSession
from tables.ring.money import DIRECTORS

SEATS = 6
BOTS_PER_GAME = 4
HANDS = 10
"""Hands that every game must have played before it is closed."""
_BIG_BLIND = 10
_STUD = {"variant": "stud", "limit": "fixed_limit", "small_blind": 0, "big_blind": 0,
         "ante": 1, "ante_kind": "per_seat", "bring_in": 2, "small_bet": 10, "big_bet": 20,
         "straddle": False}  # fmt: skip
_RAPID = {"rapid": True, "straddle": False, "pool_min": 2, "wait_ms": 500, "tables_max": 3}


class RingRun(NamedTuple):
    """A ring game of the drill: its name and the terms in which it differs from the usual one."""

    name: str
    terms: Mapping[str, Any] = {}


RUNS = (
    RingRun("ring_no_limit"),
    RingRun("ring_one_buy_in", {"buy_in_min": 400, "buy_in_max": 400}),
    RingRun("ring_pot_limit", {"variant": "omaha", "limit": "pot_limit"}),
    RingRun("ring_fixed_limit", {"limit": "fixed_limit", "small_bet": 10, "big_bet": 20}),
    RingRun("ring_spread", {"limit": "spread_limit", "small_bet": 10, "big_bet": 50}),
    RingRun("ring_stud", _STUD),
    RingRun("ring_jackpots", {"jackpots": JACKPOTS}),
    RingRun("ring_per_street", {"rake_per_street": True, "no_flop_no_drop": False}),
    RingRun("ring_rapid", _RAPID),
)
"""All ring games of `manage.py formats`, in order."""


def by_name(names: Sequence[str]) -> list[RingRun]:
    """Return the ring games of these names, all for no names; other names are left out."""
    return [run for run in RUNS if not names or run.name in names]


def open_run(run: RingRun) -> RingGame:
    """Open the game of a run with one fast table."""
    usual: dict[str, Any] = {"seats_max": SEATS, "entry_level": True, **ring_games.FAST}
    return open_usual(run.name, _BIG_BLIND, **{**usual, **run.terms})


def all_played(games: Sequence[RingGame]) -> bool:
    """Return whether every game has played its hands and taken a rake.

    Ten hands of stud may all end before the street from which rake is taken.
    """
    return all(_hands(game) >= HANDS and ring_games.figures([game])["rake"] for game in games)


def report(run: RingRun, game: RingGame, run_s: float) -> dict[str, Any]:
    """Return the report of a closed game; amounts in minor units.

    Chips that players brought are those they left with and the rake, to the unit; too few hands
    and a game without rake are violations.
    """
    found = ring_games.figures([game])
    money = RingSession.objects.filter(game=game).aggregate(
        bought=Sum("bought"), left_with=Sum("left_with"), staying=Count("pk", Q(ended_at=None))
    )
    bought, left_with = money["bought"] or 0, money["left_with"] or 0
    wrong = []
    if found["hands"] < HANDS:
        wrong.append(f"{found['hands']} hands, not {HANDS} or more")
    if not found["rake"]:
        wrong.append("no rake was taken")
    if bought != left_with + found["rake"]:
        wrong.append(f"{bought} bought, but {left_with} paid back and {found['rake']} raked")
    if money["staying"]:
        wrong.append(f"{money['staying']} players still sit at its table")
    return {
        "line": run.name,
        **found,
        "entries": RingSession.objects.filter(game=game).count(),
        "pool": bought,
        "paid": left_with,
        "duration_s": run_s,
        "run_s": run_s,
        "violations": wrong,
    }


def _hands(game: RingGame) -> int:
    return Hand.objects.filter(table__director__in=DIRECTORS, table__game=game.pk).count()
