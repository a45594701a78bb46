"""Snapshots of the tournament, user and lobby streams, and the chats of tournaments and clubs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import get_args

import msgspec
from django.db import transaction

from accounts.clubs import steps
from accounts.models import Club, User
from accounts.research.mark import told
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.gateway.chat import register_chat
from tables.gateway.database import reads
from tables.gateway.streams.known_kinds import NoSuchStream, register_snapshot
from tables.store import keys
from tournaments import rows
from tournaments.engine import lifecycle
from tournaments.entries import privacy
from tournaments.events import outbox
from tournaments.events.buying import OfferMade
from tournaments.events.client_events import (
    Moved,
    PlayerOut,
    PlayerRegistered,
    PlayerUnregistered,
    TournamentEvent,
)
from tournaments.events.lobby_row import Summary, TournamentChanged
from tournaments.events.notices import Notice
from tournaments.prizes import bounties
from tournaments.queries import buying, field, mine
from tournaments.queries import overview as queries
from tournaments.queries.field import RecentStacks
from tournaments.queries.mine import MySeat, MyStart
from tournaments.queries.overview import Overview, TableRow

_json = msgspec.json.Encoder().encode


class TournamentSnapshot(msgspec.Struct, frozen=True):
    """First state of a tournament's stream: its overview and tables; players are paged separately.

    `heads` are the cents on live entries whose bounty differs from the one bought (N-04). In a
    `research` room bots alone play, with decks from seeds and without proofs.
    """

    overview: Overview
    tables: list[TableRow]
    heads: dict[int, int]
    research: bool = False


class LobbySnapshot(msgspec.Struct, frozen=True):
    """All rows of the lobby, or of a club's lobby, and whether this is a `research` room."""

    tournaments: list[Summary]
    research: bool = False


class UserSnapshot(msgspec.Struct, frozen=True):
    """Seats of a user now, and tournaments of the user with the state of the entry, by id.

    `offers` wait for the user's answer; `starts` are to come.
    """

    seats: list[MySeat]
    tournaments: dict[int, str]
    offers: list[OfferMade]
    starts: list[MyStart]


def register() -> None:
    """Register the snapshot providers of these streams with the gateway."""
    register_snapshot(
        "tournament",
        _provider(_tournament),
        state=TournamentSnapshot,
        events=get_args(TournamentEvent),
        guard=_guard,
        ranks=_ranks,
        calm=(PlayerRegistered, PlayerUnregistered, PlayerOut, Moved),
    )
    register_snapshot(
        "lobby",
        _provider(_lobby),
        state=LobbySnapshot,
        events=(TournamentChanged,),
        numbered=False,
    )
    register_snapshot(
        "club",
        _provider(_club),
        state=LobbySnapshot,
        events=(TournamentChanged,),
        guard=_club_guard,
    )
    register_chat("tournamentchat", _guard, privacy.has_entered, rows.club_of)
    register_chat("clubchat", _club_guard, _belongs_to_club, lambda club: club)
    register_snapshot("user", _provider(_user), state=UserSnapshot, events=get_args(Notice))


def admitted_to(pk: int, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see a tournament and its tables; None for all users."""
    tournament = rows.find_tournament(pk)
    return set() if tournament is None else privacy.admitted(tournament, users)


@reads
def _guard(stream: str, users: Collection[int | None]) -> set[int] | None:
    return admitted_to(keys.number(stream), users)


@reads
def _ranks(stream: str) -> RecentStacks | None:
    tournament = rows.find_tournament(keys.number(stream))
    if tournament is None or tournament.state not in lifecycle.PLAYED:
        return None
    return field.recent(tournament)


def _provider(
    read: Callable[[str], msgspec.Struct],
) -> Callable[[str, int | None], Awaitable[tuple[str, bytes]]]:
    @reads
    def provide(stream: str, user: int | None) -> tuple[str, bytes]:
        with transaction.atomic():
            # 1. Read the head before the state: an event in between is sent again, never missed.
            # 2. Read the state; it contains every event up to that head.
            number = outbox.head(stream)
            return f"0-{number}", _json(read(stream))

    return provide


def _tournament(stream: str) -> TournamentSnapshot:
    tournament = rows.find_tournament(keys.number(stream))
    if tournament is None:
        raise NoSuchStream(stream)
    return TournamentSnapshot(
        queries.overview(tournament),
        queries.tables(tournament),
        bounties.heads(tournament),
        told.get(),
    )


def _lobby(stream: str) -> LobbySnapshot:
    return LobbySnapshot(queries.lobby(), told.get())


def _club(stream: str) -> LobbySnapshot:
    return LobbySnapshot(queries.of_clubs([keys.number(stream)]), told.get())


@reads
def _club_guard(stream: str, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users follow the lobby of a club: its members and its staff."""
    club = Club.objects.filter(pk=keys.number(stream)).first()
    if club is None:
        raise NoSuchStream(stream)
    known = User.objects.filter(pk__in=[user for user in users if user is not None])
    return {user.pk for user in known if steps.role_of(user, club) is not None}


def _belongs_to_club(club: int, user: int) -> bool:
    """Return whether a user writes in the chat of a club: its members and its staff."""
    found = Club.objects.filter(pk=club).first()
    known = User.objects.filter(pk=user).first()
    return found is not None and known is not None and steps.role_of(known, found) is not None


def _user(stream: str) -> UserSnapshot:
    user = _USER.first(keys.number(stream))
    if user is None:
        raise NoSuchStream(stream)
    return UserSnapshot(
        mine.my_seats(user),
        mine.my_tournaments(user),
        buying.open_offers(user),
        mine.my_starts(user),
    )


_USER = BuiltOnce(lambda pk: User.objects.filter(pk=pk), ANY_KEY)
