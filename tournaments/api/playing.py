"""Routes of a player in a tournament: passwords, offers, re-buys, deals, leaving, tickets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from accounts.logins.lockout import source_of_request
from config import limits
from tournaments.api.access import token_or_session
from tournaments.api.bodies.done import DoneAnswer, done
from tournaments.api.callers import caller, listed, seen
from tournaments.api.once import CHOSEN_KEY_PARAMETER, once_if_named
from tournaments.entries import privacy
from tournaments.pages import confirmations
from tournaments.prizes import tickets
from tournaments.running import deals, leaving, sales

router = Router()

WATCH = token_or_session("watch")
PLAY = token_or_session("play")

Key = Annotated[int, Field(ge=1, le=limits.KEY_MAX)]
KIND_MAX_CHARACTERS = 20


class PasswordRequest(Schema):
    """The password of a private tournament."""

    model_config = ConfigDict(extra="forbid")

    password: str = Field(max_length=limits.PASSWORD_MAX_CHARACTERS)


class OfferReply(Schema):
    """Answer to an offer of a re-entry, a re-buy or an add-on."""

    model_config = ConfigDict(extra="forbid")

    answer: Literal["buy", "decline"]


class RebuyRequest(Schema):
    """A wish for a re-buy in play; `entry` is the `id` of one of several own entries."""

    model_config = ConfigDict(extra="forbid")

    entry: Key | None = None


class DealWish(Schema):
    """A proposal to share the unpaid prizes by one kind of deal."""

    model_config = ConfigDict(extra="forbid")

    kind: str = Field(max_length=KIND_MAX_CHARACTERS)


class VoteRequest(Schema):
    """A vote on a deal."""

    model_config = ConfigDict(extra="forbid")

    yes: bool


@router.post(
    "/tournaments/{int:pk}/admission", auth=WATCH, response=DoneAnswer, url_name="api_admission"
)
def admit(request: HttpRequest, pk: int, wish: PasswordRequest) -> DoneAnswer:
    """Let the user see a private tournament by its password (T-02)."""
    user, tournament = caller(request), listed(request, pk)
    if tournament.password:
        privacy.admit(user, tournament, wish.password, source_of_request(request))
    return done(user, "admitted")


@router.post("/tournaments/{int:pk}/leave", auth=PLAY, response=DoneAnswer, url_name="api_leave")
def leave(request: HttpRequest, pk: int) -> DoneAnswer:
    """Leave with the stack at the next boundary, where chips have cash value (A-04)."""
    user = caller(request)
    return done(user, "leaving", confirmations.leaving(leaving.ask(user, listed(request, pk).pk)))


@router.post("/offers/{int:pk}", auth=PLAY, response=DoneAnswer, url_name="api_offer")
def answer(request: HttpRequest, pk: int, wish: OfferReply) -> DoneAnswer:
    """Buy or decline an offer of the room; the code is its new state (E-02, E-04, E-05)."""
    user = caller(request)
    offer = sales.answer(user, pk, buy=wish.answer == "buy")
    return done(user, offer.state, confirmations.answered(offer))


@router.post(
    "/tournaments/{int:pk}/rebuys",
    auth=PLAY,
    response=DoneAnswer,
    url_name="api_rebuys",
    openapi_extra=CHOSEN_KEY_PARAMETER,
)
def rebuy(request: HttpRequest, pk: int, wish: RebuyRequest) -> Schema | dict[str, Any]:
    """Request a re-buy for a seat in play; the code is the state of its offer (E-04).

    Repeated under a key the request buys no second one.
    """
    user = caller(request)
    privacy.need_listed(user, pk)

    def buy() -> DoneAnswer:
        offer = sales.request_rebuy(user, pk, wish.entry)
        return done(user, offer.state, confirmations.answered(offer))

    return once_if_named(request, user, buy)


@router.post("/tournaments/{int:pk}/deals", auth=PLAY, response=DoneAnswer, url_name="api_deals")
def propose(request: HttpRequest, pk: int, wish: DealWish) -> DoneAnswer:
    """Propose a deal of one kind (Y-01)."""
    user = caller(request)
    deals.propose(user, seen(request, pk).pk, wish.kind)
    return done(user, "deal_proposed")


@router.post(
    "/tournaments/{int:pk}/deals/{int:deal}/votes",
    auth=PLAY,
    response=DoneAnswer,
    url_name="api_votes",
)
def vote(request: HttpRequest, pk: int, deal: int, wish: VoteRequest) -> DoneAnswer:
    """Vote on a deal (Y-02)."""
    user = caller(request)
    deals.vote(user, seen(request, pk).pk, deal, yes=wish.yes)
    return done(user, "deal_voted")


@router.post("/tickets/{int:pk}/exchange", auth=PLAY, response=DoneAnswer, url_name="api_exchange")
def exchange(request: HttpRequest, pk: int) -> DoneAnswer:
    """Exchange a ticket for its worth in money (K-06)."""
    user = caller(request)
    ticket = tickets.exchange(user, pk)
    return done(user, "exchanged", confirmations.exchanged(ticket))
