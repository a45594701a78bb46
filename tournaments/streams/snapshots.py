"""Snapshots of the streams of tournaments, users and the lobby, as the gateway sends them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import get_args

import msgspec
from django.db import transaction

from accounts.models import User
from tables.gateway.database import reads
from tables.gateway.hub import NoSuchStream, register_snapshot
from tables.store import keys
from tournaments.entries import privacy
from tournaments.events import outbox
from tournaments.events.buying import OfferMade
from tournaments.events.client_events import Notice, Summary, TournamentChanged, TournamentEvent
from tournaments.models import Tournament
from tournaments.prizes import bounties
from tournaments.queries import buying, mine
from tournaments.queries import overview as queries
from tournaments.queries.mine import MySeat, MyStart
from tournaments.queries.overview import Overview, TableRow

_json = msgspec.json.Encoder().encode


class TournamentSnapshot(msgspec.Struct, frozen=True):
    """A tournament's stream starts with its head and its tables; players come by page.

    `heads` are the cents on live entries that carry another bounty than the one bought (N-04).
    """

    overview: Overview
    tables: list[TableRow]
    heads: dict[int, int]


class LobbySnapshot(msgspec.Struct, frozen=True):
    """Every row of the lobby."""

    tournaments: list[Summary]


class UserSnapshot(msgspec.Struct, frozen=True):
    """Where a user plays now, and which tournaments the user is in: id -> state of the entry.

    `offers` wait for an answer of his; `starts` are to come.
    """

    seats: list[MySeat]
    tournaments: dict[int, str]
    offers: list[OfferMade]
    starts: list[MyStart]


def register() -> None:
    """Let clients follow these streams."""
    register_snapshot(
        "tournament",
        _provider(_tournament),
        state=TournamentSnapshot,
        events=get_args(TournamentEvent),
        guard=_guard,
    )
    register_snapshot("lobby", _provider(_lobby), state=LobbySnapshot, events=(TournamentChanged,))
    register_snapshot("user", _provider(_user), state=UserSnapshot, events=get_args(Notice))


def admitted_to(pk: int, users: Collection[int | None]) -> set[int] | None:
    """Which of these users may see a tournament by its number and its tables; None: everybody."""
    found = Tournament.objects.filter(pk=pk).only("password", "seen_by").first()
    return set() if found is None else privacy.admitted(found, users)


@reads
def _guard(stream: str, users: Collection[int | None]) -> set[int] | None:
    return admitted_to(keys.number(stream), users)


def _provider(read: Callable[[str], msgspec.Struct]):  # type: ignore[no-untyped-def]
    @reads
    def provide(stream: str, user: int | None) -> tuple[str, bytes]:
        with transaction.atomic():
            # The number is read first: what happens meanwhile is told again, never missed.
            number = outbox.head(stream)
            return f"0-{number}", _json(read(stream))

    return provide


def _tournament(stream: str) -> TournamentSnapshot:
    found = Tournament.objects.filter(pk=keys.number(stream)).first()
    if found is None:
        raise NoSuchStream(stream)
    return TournamentSnapshot(queries.overview(found), queries.tables(found), bounties.heads(found))


def _lobby(stream: str) -> LobbySnapshot:
    return LobbySnapshot(queries.lobby())


def _user(stream: str) -> UserSnapshot:
    user = User.objects.get(pk=keys.number(stream))
    return UserSnapshot(
        mine.my_seats(user),
        mine.my_tournaments(user),
        buying.open_offers(user),
        mine.my_starts(user),
    )
