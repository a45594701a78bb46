"""Routes of a place at ring tables: waiting lists, offered seats, top-ups, choices."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Schema, Status

from accounts.logins.lockout import source_of_request
from tables.ring import audiences
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.pages import confirmations
from tables.ring.sessions import switches, top_up, waiting_list
from tournaments.api.access import token_or_session
from tournaments.api.bodies.done import DoneAnswer, done
from tournaments.api.callers import caller
from tournaments.api.once import CHOSEN_KEY_PARAMETER, once_if_named
from tournaments.api.ring.answers import (
    ChoiceRequest,
    Key,
    RingSessionAnswer,
    TakeRequest,
    TopUpRequest,
    WaitRequest,
)
from tournaments.api.ring.games import new_session

router = Router()

PLAY = token_or_session("play")


@router.post("/ring-games/{int:pk}/waiting", auth=PLAY, response=DoneAnswer, url_name="api_waiting")
def wait(request: HttpRequest, pk: int, wish: WaitRequest) -> DoneAnswer:
    """Join the waiting list of a game or of one table, while no seat is free."""
    user, game = caller(request), _listed(request, pk)
    waiting_list.join(
        user,
        game.pk,
        table_id=wish.table,
        password=wish.password,
        address=source_of_request(request),
    )
    return done(user, "waiting", confirmations.WAITING)


@router.delete(
    "/ring-games/{int:pk}/waiting", auth=PLAY, response=DoneAnswer, url_name="api_waiting"
)
def give_up(request: HttpRequest, pk: int, table: Key | None = None) -> DoneAnswer:
    """Leave the waiting list of a game, or of one table."""
    user, game = caller(request), _listed(request, pk)
    waiting_list.give_up(user, game.pk, table_id=table)
    return done(user, "gave_up", confirmations.GAVE_UP)


@router.post(
    "/ring-offers/{int:pk}/sessions",
    auth=PLAY,
    response={201: RingSessionAnswer},
    url_name="api_take",
)
def take(request: HttpRequest, pk: int, wish: TakeRequest) -> Status[RingSessionAnswer]:
    """Sit down at a seat that the waiting list offers; an offer is taken once."""
    user, place = caller(request), get_object_or_404(WaitingPlayer, pk=pk, user=caller(request))
    session = waiting_list.take(
        user,
        place.pk,
        wish.amount,
        password=wish.password,
        address=source_of_request(request),
    )
    return Status(201, new_session(session))


@router.post(
    "/ring-sessions/{int:pk}/top-ups",
    auth=PLAY,
    response=DoneAnswer,
    url_name="api_top_ups",
    openapi_extra=CHOSEN_KEY_PARAMETER,
)
def buy_chips(request: HttpRequest, pk: int, wish: TopUpRequest) -> Schema | dict[str, Any]:
    """Pay for more chips, which join the stack before the next hand.

    Repeated under a key the request pays for nothing more.
    """
    user, session = caller(request), _own(request, pk)

    def buy() -> DoneAnswer:
        top_up.top_up(user, session.pk, wish.amount)
        return done(user, "top_up", confirmations.TOPPED_UP)

    return once_if_named(request, user, buy)


@router.post(
    "/ring-sessions/{int:pk}/choices", auth=PLAY, response=DoneAnswer, url_name="api_choices"
)
def choose(request: HttpRequest, pk: int, wish: ChoiceRequest) -> DoneAnswer:
    """Switch a choice of the seat: automatic top-up, straddle, posts, sitting out."""
    user, session = caller(request), _own(request, pk)
    switches.switch(user, session.pk, wish.choice, wish.on)
    return done(user, wish.choice, confirmations.switched(wish.choice, wish.on))


def _listed(request: HttpRequest, pk: int) -> RingGame:
    return get_object_or_404(audiences.listable(caller(request)), pk=pk)


def _own(request: HttpRequest, pk: int) -> RingSession:
    return get_object_or_404(RingSession, pk=pk, user=caller(request))
