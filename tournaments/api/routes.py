"""Routes of the API under `/api/v1/`; they read and change by the rules of the pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import NinjaAPI, Schema, Status

from accounts.ledger import statements
from accounts.ledger.transfers import account
from accounts.logins.lockout import source_of_request
from accounts.models import AccountKind, Posting, User
from config.postgres.statements import ANY_KEY
from tables.models import Table
from tournaments.api import (
    bundles,
    featured,
    hands,
    ladders,
    managing,
    playing,
    problems,
    seasons,
    statistics,
    void_hands,
)
from tournaments.api.access import token_or_session
from tournaments.api.bodies.answers import (
    EntryAnswer,
    EntryRequest,
    MovementAnswer,
    OneTournamentAnswer,
    ResultAnswer,
    ResultPage,
    TableAnswer,
    TablePage,
    TicketAnswer,
    TicketPage,
    TournamentAnswer,
    TournamentPage,
    WalletPage,
    fields_of,
    of_row,
    one_tournament_answer,
    tournament_answer,
)
from tournaments.api.callers import caller, listed
from tournaments.api.cursors import PagedList, page_of
from tournaments.api.hands import TOURNAMENT
from tournaments.api.once import (
    CHOSEN_KEY_PARAMETER,
    KEY_PARAMETER,
    once,
    once_if_named,
)
from tournaments.api.ring import games, seats
from tournaments.api.shared import need_seen, shared, shared_page
from tournaments.engine.lifecycle import State as StateName
from tournaments.entries import registration
from tournaments.entries.visible import visible
from tournaments.models import Entry, Ticket, Tournament

api = NinjaAPI(title="Tournament room", version="1", docs_url=None, openapi_url=None)
problems.install(api)
api.add_router("", bundles.router)
api.add_router("", featured.router)
api.add_router("", hands.router)
api.add_router("", void_hands.router)
api.add_router("", ladders.router)
api.add_router("", statistics.router)
api.add_router("", managing.router)
api.add_router("", playing.router)
api.add_router("", games.router)
api.add_router("", seats.router)
api.add_router("", seasons.router)

WATCH = token_or_session("watch")
WALLET = token_or_session("wallet")
PLAY = token_or_session("play")

_LISTED = PagedList(
    lambda user: visible(User(pk=user)).only(
        *fields_of(TournamentAnswer, "price", "paying", "research"),
        *("refunding", "sharing", "paying"),
    ),
    ANY_KEY,
)
_TICKETS = PagedList(lambda user: Ticket.objects.filter(owner=user), ANY_KEY)
_POSTINGS = PagedList(
    lambda wallet: Posting.objects.filter(account=wallet).select_related("transfer", "account"),
    ANY_KEY,
)


@api.get("/tournaments", auth=WATCH, response=TournamentPage, url_name="api_tournaments")
def tournaments(
    request: HttpRequest, state: StateName | None = None, cursor: str = ""
) -> TournamentPage:
    """List the tournaments that the user may see, or those in one state, newest first."""
    user = caller(request)
    if state is None and not user.is_staff:
        rows, following = _LISTED.page_of(cursor, "tournaments", user.pk)
    else:
        matching = visible(user)
        if state is not None:
            matching = matching.filter(state=state)
        rows, following = page_of(matching, cursor, "tournaments")
    return TournamentPage(items=[tournament_answer(row) for row in rows], next=following)


@api.get(
    "/tournaments/{int:pk}", auth=WATCH, response=OneTournamentAnswer, url_name="api_tournament"
)
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a tournament that the user may see."""
    need_seen(request, pk)
    return shared(f"tournament:{pk}", lambda: _tournament(pk))


@api.get("/tournaments/{int:pk}/results", auth=WATCH, response=ResultPage, url_name="api_results")
def results(request: HttpRequest, pk: int, cursor: str = "") -> HttpResponse:
    """List the entries of a tournament that the user may see, with places and prizes."""
    need_seen(request, pk)
    return shared_page(f"results:{pk}", cursor, lambda cursor: _results(pk, cursor))


@api.get("/tournaments/{int:pk}/tables", auth=WATCH, response=TablePage, url_name="api_tables")
def tables(request: HttpRequest, pk: int, cursor: str = "") -> HttpResponse:
    """List the tables of a tournament that the user may see, closed ones too."""
    need_seen(request, pk)
    return shared_page(f"tables:{pk}", cursor, lambda cursor: _tables(pk, cursor))


@api.post(
    "/tournaments/{int:pk}/entries",
    auth=PLAY,
    response={201: EntryAnswer},
    url_name="api_entries",
    openapi_extra=KEY_PARAMETER,
)
def register(request: HttpRequest, pk: int, wish: EntryRequest) -> Status[dict[str, Any]]:
    """Register the user, as the page does; repeated under its key it buys nothing more."""
    user, address = caller(request), source_of_request(request)
    tournament = listed(request, pk)

    def buy() -> EntryAnswer:
        return _entry(
            registration.register(
                user,
                tournament,
                wish.password or None,
                ticket=wish.ticket,
                address=address,
                shows_cards=wish.shows_cards,
            )
        )

    return Status(201, once(request, user, buy))


@api.delete(
    "/tournaments/{int:pk}/entries",
    auth=PLAY,
    response=EntryAnswer,
    url_name="api_entries",
    openapi_extra=CHOSEN_KEY_PARAMETER,
)
def withdraw(request: HttpRequest, pk: int) -> Schema | dict[str, Any]:
    """Take one entry of the user back before the start, with a full refund.

    Repeated under a key the request takes back no second one.
    """
    user = caller(request)

    def take_back() -> EntryAnswer:
        return _entry(registration.unregister(user, listed(request, pk)))

    return once_if_named(request, user, take_back)


@api.get("/wallet", auth=WALLET, response=WalletPage, url_name="api_wallet")
def wallet(request: HttpRequest, cursor: str = "") -> WalletPage:
    """Return the user's balance and movements of money, newest first."""
    user = caller(request)
    own = account(AccountKind.PLAYER, user=user)
    rows, following = _POSTINGS.page_of(cursor, f"wallet:{user.pk}", own.pk)
    own = rows[0].account if rows else own  # read at once with them
    refs = statements.refs_of(row.transfer_id for row in rows)
    return WalletPage(
        balance=own.balance,
        items=[
            MovementAnswer(
                id=row.pk,
                when=row.transfer.created,
                kind=row.transfer.kind,
                ref=refs.get(row.transfer_id, ""),
                memo=row.transfer.memo,
                amount=row.amount,
                balance_after=row.balance_after,
            )
            for row in rows
        ],
        next=following,
    )


@api.get("/tickets", auth=WALLET, response=TicketPage, url_name="api_tickets")
def tickets(request: HttpRequest, cursor: str = "") -> TicketPage:
    """List the user's tickets, used and expired ones too, newest first."""
    user = caller(request)
    rows, following = _TICKETS.page_of(cursor, f"tickets:{user.pk}", user.pk)
    items = [of_row(TicketAnswer, row) for row in rows]
    return TicketPage(items=items, next=following)


def _tournament(pk: int) -> OneTournamentAnswer:
    return one_tournament_answer(get_object_or_404(Tournament, pk=pk))


def _results(pk: int, cursor: str) -> ResultPage:
    entries = Entry.objects.filter(tournament=pk).exclude(state__in=Entry.TAKEN_BACK)
    rows, following = page_of(entries, cursor, f"entries:{pk}", "number")
    items = [of_row(ResultAnswer, row) for row in rows]
    return ResultPage(items=items, next=following)


def _tables(pk: int, cursor: str) -> TablePage:
    found = Table.objects.filter(director=TOURNAMENT, game=pk)
    rows, following = page_of(found, cursor, f"tables-of:{pk}", "number")
    items = [of_row(TableAnswer, row) for row in rows]
    return TablePage(items=items, next=following)


def _entry(entry: Entry) -> EntryAnswer:
    return EntryAnswer(
        id=entry.pk,
        tournament=entry.tournament_id,
        number=entry.number,
        name=entry.name,
        state=entry.state,
        ticket=entry.ticket_id,
    )
