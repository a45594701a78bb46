"""Ring games of a drill: a seat or a place for every bot, judged by the room's own audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Sum

from deploy.cluster.ring_games import JACKPOTS, open_usual
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.money import DIRECTORS

_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Drill no limit", {}),
    ("Drill pot-limit Omaha", {"variant": "omaha", "limit": "pot_limit"}),
    ("Drill jackpots", {"jackpots": JACKPOTS}),
    ("Drill rapid pool", {"rapid": True, "straddle": False, "pool_min": 2, "wait_ms": 500}),
)
_BIG_BLIND = 10
FAST: dict[str, Any] = {"hand_pause_ms": 100, "showdown_pause_ms": 200, "street_pause_ms": 0}


def open_games(bots: int, seats: int, think: str) -> list[RingGame]:
    """Open ring games with a seat for every bot, and a spare table each; none without bots."""
    if not bots:
        return []
    tables = -(-bots // (seats * len(_GAMES))) + 1
    pace = FAST if think == "fast" else {}
    return [
        open_usual(
            name,
            _BIG_BLIND,
            seats_max=seats,
            tables_min=tables,
            tables_max=tables,
            entry_level=True,
            **(pace | terms),
        )
        for name, terms in _GAMES
    ]


def players_seen(games: Sequence[RingGame]) -> int:
    """Return how many players have bought in at these games so far."""
    return RingSession.objects.filter(game__in=games).values("user").distinct().count()


def figures(games: Sequence[RingGame]) -> dict[str, Any]:
    """Return players, tables, hands and rake of these games; the rake in minor units."""
    tables = Table.objects.filter(director__in=DIRECTORS, game__in=[game.pk for game in games])
    sessions = RingSession.objects.filter(game__in=games)
    return {
        "players": players_seen(games),
        "tables": tables.count(),
        "hands": tables.aggregate(dealt=Sum("hand"))["dealt"] or 0,
        "rake": sessions.aggregate(paid=Sum("rake_paid"))["paid"] or 0,
    }
