"""Lobby of ring games for people, and its rows as JSON for scripts (R-01)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from config import limits
from config.shared_value import SharedValue
from tables.ring.pages.answers import visitor
from tables.ring.queries import jackpots, mine
from tables.ring.queries import lobby as queries
from tables.ring.queries.lobby import RingLobbyRow

_COLUMNS = (
    *("game", "name", "variant", "limit", "small_blind", "big_blind", "buy_in_min", "buy_in_max"),
    *(
        "seats_max",
        "straddle",
        "rapid",
        "pool_min",
        "players",
        "free",
        "spare",
        "waiting",
        "jackpots",
        "private",
        "entry_level",
        "club",
    ),
)


@never_cache
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """List all ring games with the jackpots and the quick seat."""
    rows = queries.rows(visitor(request))
    quick = _quick_seats(rows)
    context = {
        "page": "lobby",
        "rows": rows,
        "own": [session for row in rows for session in row.sessions],
        "offers": [row.place for row in rows if row.place and row.place.table],
        "pools": jackpots.pools(),
        "quick": quick,
        "quick_games": len({row.game_words for row in quick}),
    }
    return render(request, "ring/lobby.html", context)


@never_cache
@require_GET
def rows(request: HttpRequest) -> HttpResponse:
    """Return games, and the visitor's sessions, offers and waits as JSON; money in minor units.

    The games are as of a second ago at most: all visitors share them.
    """
    user = visitor(request)
    places = mine.places(user) if user else []
    answer = {
        "games": msgspec.Raw(shared_games.get()),
        "sessions": mine.sessions(user) if user else [],
        "offers": [place for place in places if place.table is not None],
        "waiting": [place.game for place in places],
    }
    return HttpResponse(msgspec.json.encode(answer), content_type="application/json")


@login_required
@never_cache
@require_GET
def in_play(request: HttpRequest) -> HttpResponse:
    """List the visitor's stacks at ring tables, for the wallet."""
    user = visitor(request)
    assert user is not None
    own = mine.sessions(user)
    context = {"own": own, "total": sum(session.total for session in own)}
    return render(request, "ring/_in_play.html", context)


def _games() -> bytes:
    return msgspec.json.encode([_game(row) for row in queries.rows(None)])


shared_games = SharedValue(_games, seconds=limits.RING_ROWS_S)
"""Columns of all ring games as JSON, as every visitor sees them."""


def _game(row: RingLobbyRow) -> dict[str, object]:
    return {
        **{name: getattr(row, name) for name in _COLUMNS},
        "state": "open" if row.is_open else "frozen" if row.frozen else "closing",
        "average_pot": row.figures.average_pot,
        "hands_per_hour": row.figures.hands_per_hour,
    }


def _quick_seats(rows: Sequence[RingLobbyRow]) -> list[RingLobbyRow]:
    """Return one game of each kind and stakes that has a seat: the one with most players."""
    best: dict[tuple[str, str, bool], RingLobbyRow] = {}
    for row in rows:
        if not row.may_sit or row.private:
            continue
        kind = (row.game_words, row.stakes, row.rapid)
        known = best.get(kind)
        if known is None or row.players > known.players:
            best[kind] = row
    return list(best.values())
