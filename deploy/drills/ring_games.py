"""Ring games of a drill: a seat or a place for every bot, judged by the room's own audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Sum

from deploy.cluster.ring_games import JACKPOTS, open_usual
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.models.session import LIVE
from tables.ring.money import DIRECTORS

_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Drill no limit", {}),
    ("Drill pot-limit Omaha", {"variant": "omaha", "limit": "pot_limit"}),
    ("Drill jackpots", {"jackpots": JACKPOTS}),
    ("Drill rapid pool", {"rapid": True, "straddle": False, "pool_min": 2, "wait_ms": 500}),
)
_BIG_BLIND = 10
FAST: dict[str, Any] = {"hand_pause_ms": 100, "showdown_pause_ms": 200, "street_pause_ms": 0}


def open_games(bots: int, seats: int, think: str, pool: int = 0) -> list[RingGame]:
    """Open ring games with a seat for every bot, and a spare table each; none without bots.

    With `pool` the other games have no spare seat and are that much smaller: the bots that find
    them full, at least so many, are in the rapid pool. Too few for a table of each open none of
    the others.
    """
    if not bots:
        return []
    others = len(_GAMES) - 1
    elsewhere = in_pool = -(-bots // (seats * len(_GAMES))) + 1
    if pool:
        elsewhere = (bots - pool) // (seats * others)
        in_pool = -(-max(pool, bots - elsewhere * seats * others) // seats) + 1
    pace = FAST if think == "fast" else {}
    return [
        open_usual(
            name,
            _BIG_BLIND,
            seats_max=seats,
            tables_min=in_pool if terms.get("rapid") else elsewhere,
            tables_max=in_pool if terms.get("rapid") else elsewhere,
            entry_level=True,
            **(pace | terms),
        )
        for name, terms in _GAMES
        if terms.get("rapid") or elsewhere
    ]


def players_seen(games: Sequence[RingGame]) -> int:
    """Return how many players have bought in at these games so far."""
    return RingSession.objects.filter(game__in=games).values("user").distinct().count()


def figures(games: Sequence[RingGame]) -> dict[str, Any]:
    """Return players, tables, hands and rake of these games; the rake in minor units.

    `in_pools` are the players who are in a rapid pool now.
    """
    tables = Table.objects.filter(director__in=DIRECTORS, game__in=[game.pk for game in games])
    sessions = RingSession.objects.filter(game__in=games)
    return {
        "players": players_seen(games),
        "in_pools": sessions.filter(game__rapid=True, state__in=LIVE).count(),
        "tables": tables.count(),
        "hands": tables.aggregate(dealt=Sum("hand"))["dealt"] or 0,
        "rake": sessions.aggregate(paid=Sum("rake_paid"))["paid"] or 0,
    }
