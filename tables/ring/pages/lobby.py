"""Lobby of ring games for people, and its rows as JSON for scripts (R-01)."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from msgspec import to_builtins

from tables.ring.pages.answers import visitor
from tables.ring.queries import jackpots, mine
from tables.ring.queries import lobby as queries
from tables.ring.queries.lobby import RingLobbyRow, RingTableRow

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
    ),
)


@never_cache
@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """List all ring games with the jackpots and the quick seat."""
    rows = queries.rows(visitor(request))
    context = {
        "page": "lobby",
        "rows": rows,
        "own": [session for row in rows for session in row.sessions],
        "offers": [row.place for row in rows if row.place and row.place.table],
        "pools": jackpots.pools(),
        "quick": _quick_seats(rows),
    }
    return render(request, "ring/lobby.html", context)


@never_cache
@require_GET
def rows(request: HttpRequest) -> HttpResponse:
    """Return games with their tables, and the visitor's sessions, offers and waits as JSON.

    Money is in minor units.
    """
    user = visitor(request)
    places = mine.places(user) if user else []
    found = queries.rows(user)
    tables = queries.tables_of([row.game for row in found], user)
    answer = {
        "games": [_game(row, tables[row.game]) for row in found],
        "sessions": [to_builtins(own) for own in mine.sessions(user)] if user else [],
        "offers": [to_builtins(place) for place in places if place.table is not None],
        "waiting": [place.game for place in places],
    }
    return JsonResponse(answer)


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


def _game(row: RingLobbyRow, tables: Sequence[RingTableRow]) -> dict[str, object]:
    return {
        **{name: getattr(row, name) for name in _COLUMNS},
        "state": "open" if row.is_open else "frozen" if row.frozen else "closing",
        "average_pot": row.figures.average_pot,
        "hands_per_hour": row.figures.hands_per_hour,
        "tables": [
            {"table": table.table, "number": table.number, "free": table.free} for table in tables
        ],
    }


def _quick_seats(rows: Sequence[RingLobbyRow]) -> list[RingLobbyRow]:
    """Return one game for each stakes that has a seat: the one with most players."""
    best: dict[str, RingLobbyRow] = {}
    for row in rows:
        if not row.may_sit or row.private:
            continue
        known = best.get(row.stakes)
        if known is None or row.players > known.players:
            best[row.stakes] = row
    return list(best.values())
