"""Tournaments of one player: seats, starts, rank, and the rows of an export."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.urls import reverse

from accounts.ledger.references import Reference
from accounts.models import User
from config import limits
from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.dealer import director
from tables.models import Seat, Table
from tournaments import locks, rows
from tournaments.models import Entry, Guest, Move, Ticket, Tournament
from tournaments.models.tournament import State
from tournaments.queries import field, players

_SEATS = BuiltOnce(
    lambda user: Seat.objects.filter(user=user, table__status=Table.Status.OPEN).select_related(
        "table"
    ),
    ANY_KEY,
)
_MOVES = BuiltOnce(
    lambda user: Move.objects.filter(entry__user=user, state=Move.State.LEFT).select_related(
        "to_table"
    ),
    ANY_KEY,
)
_LIVE = BuiltOnce(
    lambda user: Entry.objects.filter(user=user, state__in=Entry.LIVE).values_list(
        "tournament", "state"
    ),
    ANY_KEY,
)


def _ahead(user: int) -> QuerySet[Tournament, tuple[int, str, datetime | None]]:
    ahead = Tournament.objects.filter(
        state=State.REGISTERING,
        starts_at__isnull=False,
        entries__user=user,
        entries__state=Entry.State.REGISTERED,
    )
    # Three columns: a player may be entered several times, and rows of tournaments are large.
    columns = ahead.values_list("pk", "name", "starts_at")
    return columns.distinct().order_by("starts_at", "pk")


_AHEAD = BuiltOnce(_ahead, ANY_KEY)


class MySeat(msgspec.Struct, frozen=True):
    """A player's seat, or the next seat during a move; `why` is then the move's reason (T-08).

    `tournament` is 0 at a table of another game, which `name` names all the same.
    """

    tournament: int
    name: str
    table: int
    number: int
    seat: int
    why: str = ""

    @property
    def group(self) -> tuple[int, str]:
        """Key of the seats of one game."""
        return self.tournament, self.name


class MyStart(msgspec.Struct, frozen=True):
    """The start of a tournament the player is registered for; `starts_at_ms` since the epoch."""

    tournament: int
    name: str
    starts_at_ms: int


class PlayerRank(msgspec.Struct, frozen=True):
    """A player in a started tournament: table and rank while seated, the best place of entries out.

    `left` are players, `average` is in chips.
    """

    table: int | None
    rank: int | None
    place: int | None
    left: int
    average: int


def standing(tournament: Tournament, user: User, table: int | None = None) -> PlayerRank:
    """Return rank and table of the player's stack at that `table`, else of the largest (E-03).

    Ranks are counted like those of the page's head, in a field that may be a second old.
    """
    own = players.own_stacks(tournament, user)
    playing = [entry for entry in own if entry.table is not None]
    there = [entry for entry in playing if entry.table == table]
    mine = max(there or playing, key=lambda entry: (entry.chips, -entry.entry), default=None)
    seen = field.recent(tournament)
    return PlayerRank(
        table=mine.table if mine else None,
        rank=seen.rank(mine.chips, user.pk) if mine else None,
        place=min((entry.place for entry in own if entry.place), default=None),
        left=tournament.left,
        average=seen.average,
    )


def my_seats(user: User) -> list[MySeat]:
    """Return the player's seats at open tables of all games, open moves included, by table.

    A seat that folded where its player is free since is none any more (R-03).
    """
    seats = [
        seat
        for seat in _SEATS.rows(user.pk)
        if not director.freed(seat.table.director, [seat.entry])
    ]
    moves = _MOVES.rows(user.pk)
    places = [(seat.table, seat.seat, "") for seat in seats]
    places += [(move.to_table, move.to_seat, move.reason) for move in moves]
    own = {table.game for table, _, _ in places if table.director == locks.DIRECTOR}
    names = {game: rows.name_of(game) for game in own}
    mine = [
        MySeat(table.game, names[table.game], table.pk, table.number, seat, why)
        if table.director == locks.DIRECTOR
        else MySeat(
            0, director.game_name(table.director, table.game), table.pk, table.number, seat, why
        )
        for table, seat, why in places
    ]
    return sorted(mine, key=lambda seat: (*seat.group, seat.number))


def references(numbers: Collection[int]) -> dict[int, Reference]:
    """Name the tournaments of bookings, with their pages."""
    rows = Tournament.objects.filter(pk__in=numbers).values_list("pk", "name")
    return {pk: Reference(name, reverse("tournament", args=[pk])) for pk, name in rows}


def my_tournaments(user: User) -> dict[int, str]:
    """Tournaments of a player's live entries -> state of the entry."""
    return dict(_LIVE.rows(user.pk))


def my_starts(user: User) -> list[MyStart]:
    """Return the set starts of tournaments a player is registered for, the soonest first."""
    ahead = _AHEAD.rows(user.pk)
    return [MyStart(pk, name, int(at.timestamp() * 1_000)) for pk, name, at in ahead if at]


def exported_entries(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the rows of a player's entries for the export of the account, newest first."""
    columns = ("tournament", "tournament__name", "number", "state", "registered_at", "out_at")
    paid = ("paid_buy_in", "paid_bounty", "paid_fee", "place", "prize", "bounties_won")
    rows = Entry.objects.filter(user=user).order_by("-pk")
    found: Iterable[Mapping[str, Any]] = rows.values(*columns, *paid)[: limits.EXPORTED_ROWS_MAX]
    return found


def exported_tickets(user: User) -> Iterable[Mapping[str, Any]]:
    """Return a player's tickets for the export of the account, in every state."""
    columns = ("scope", "value", "state", "source", "reason", "issued_at", "valid_until")
    rows = Ticket.objects.filter(owner=user).order_by("pk")
    found: Iterable[Mapping[str, Any]] = rows.values(*columns, "closed_at")
    return found


def exported_invitations(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the tournaments to which a player is invited by name."""
    return Guest.objects.filter(user=user).order_by("pk").values("tournament__name", "at")
