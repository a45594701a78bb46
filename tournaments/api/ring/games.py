"""Routes of ring games: the lobby with live figures, the user's seats, sitting down, leaving."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Status

from accounts.logins.lockout import source_of_request
from accounts.models import User
from tables.ring import audiences
from tables.ring.models import RingSession
from tables.ring.queries import lobby, mine
from tables.ring.queries.lobby import RingLobbyRow, RingTableRow
from tables.ring.sessions import leaving, sit_down
from tournaments.api.access import token_or_session
from tournaments.api.callers import caller
from tournaments.api.once import KEY_PARAMETER, once
from tournaments.api.ring.answers import (
    RingGameAnswer,
    RingGames,
    RingSessionAnswer,
    RingSessions,
    RingTableAnswer,
    SitRequest,
)
from tournaments.api.shared import shared

router = Router()

WATCH = token_or_session("watch")
PLAY = token_or_session("play")

_SAME = (
    *("name", "variant", "limit", "small_blind", "big_blind", "buy_in_min", "buy_in_max"),
    *("seats_max", "players", "free", "waiting", "private", "rapid", "club"),
)
"""Columns of the lobby's rows that answers name alike."""


@router.get("/ring-games", auth=WATCH, response=RingGames, url_name="api_ring_games")
def ring_games(request: HttpRequest) -> HttpResponse | RingGames:
    """List the ring games with their open tables and the figures of their last hands.

    Users who know of games for members get an answer of their own, all others share one.
    """
    user = caller(request)
    if audiences.knows_more(user):
        return _ring_games(user)
    return shared("ring-games", lambda: _ring_games(None))


def _ring_games(user: User | None) -> RingGames:
    rows = lobby.rows(user)
    tables = lobby.tables_of([row.game for row in rows], None)
    return RingGames(items=[_game(row, tables[row.game]) for row in rows])


@router.get("/ring-sessions", auth=WATCH, response=RingSessions, url_name="api_ring_sessions")
def ring_sessions(request: HttpRequest) -> RingSessions:
    """List the user's seats, with stacks as of the last hand boundary."""
    return RingSessions(items=_sessions(caller(request)))


@router.post(
    "/ring-games/{int:pk}/sessions",
    auth=PLAY,
    response={201: RingSessionAnswer},
    url_name="api_sit",
    openapi_extra=KEY_PARAMETER,
)
def sit(request: HttpRequest, pk: int, wish: SitRequest) -> Status[dict[str, Any]]:
    """Take a seat and pay for its chips, as the page does; once for each key."""
    user = caller(request)
    game = get_object_or_404(audiences.listable(user), pk=pk)

    def take_seat() -> RingSessionAnswer:
        return new_session(
            sit_down.sit(
                user,
                game.pk,
                amount=wish.amount,
                table_id=wish.table,
                seat=wish.seat,
                password=wish.password,
                address=source_of_request(request),
            )
        )

    return Status(201, once(request, user, take_seat))


@router.delete(
    "/ring-sessions/{int:pk}", auth=PLAY, response=RingSessionAnswer, url_name="api_ring_session"
)
def leave(request: HttpRequest, pk: int) -> RingSessionAnswer:
    """Leave a table after the hand; the stack is paid then."""
    user = caller(request)
    # Read first: the table may free the seat as soon as it is asked.
    seats = _sessions(user, pk=pk)
    if not seats:
        raise Http404
    leaving.leave(user, pk)
    return seats[0].model_copy(update={"leaving": True})


def new_session(session: RingSession) -> RingSessionAnswer:
    """Return a session that has just begun: all its chips come, read from its row alone."""
    return RingSessionAnswer(
        id=session.pk,
        game=session.game_id,
        table=session.table_id,
        seat=session.seat,
        stack=session.stack,
        coming=session.coming,
        leaving=session.leaving,
    )


def _game(row: RingLobbyRow, tables: list[RingTableRow]) -> RingGameAnswer:
    return RingGameAnswer(
        id=row.game,
        state="open" if row.is_open else "frozen" if row.frozen else "closing",
        average_pot=row.figures.average_pot,
        hands_per_hour=row.figures.hands_per_hour,
        tables=[
            RingTableAnswer(table=table.table, number=table.number, free=table.free)
            for table in tables
        ],
        **{name: getattr(row, name) for name in _SAME},
    )


def _sessions(user: User, **where: int) -> list[RingSessionAnswer]:
    return [
        RingSessionAnswer(
            id=own.session,
            game=own.game,
            table=own.table,
            seat=own.seat,
            stack=own.stack,
            coming=own.coming,
            leaving=own.leaving,
        )
        for own in mine.sessions(user, **where)
    ]
