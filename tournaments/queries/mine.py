"""Tournaments for one visitor: lobby rows with buttons, own seats, own rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from django.urls import reverse
from django.utils import timezone

from accounts.ledger.references import Reference
from accounts.ledger.transfers import held_by
from accounts.models import AccountKind, User
from accounts.research import mark
from config import limits
from config.refusals import Refusal
from tables.dealer import director
from tables.models import Seat, Table
from tournaments import locks
from tournaments.buying import slots
from tournaments.buying.slots import EntryTerms, Own
from tournaments.engine import lifecycle
from tournaments.entries import audiences
from tournaments.events.lobby_row import Summary
from tournaments.models import Entry, Move, Tournament
from tournaments.models.audience import Audience
from tournaments.models.formats import Format
from tournaments.models.prizes import Methods
from tournaments.models.tournament import Start, State
from tournaments.queries import field, overview, players
from tournaments.words import SHOWN, game

TURBO_MS = 5 * 60_000
"""Longest level of a turbo."""
SOON_MS = 5 * 60_000

_ORDER = list(SHOWN)

NextEntry = Literal["", "first", "another", "again"]
"""The entry a visitor may buy now: the first, another beside live ones, or one after going out."""


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


class LobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the lobby as one visitor sees it; price and pool in cents."""

    summary: Summary
    mine: bool
    seats: tuple[MySeat, ...]
    entry: NextEntry
    may_unregister: bool

    @property
    def may_register(self) -> bool:
        """True when registration takes an entry of this visitor now (T-01, E-01..E-03)."""
        return bool(self.entry)

    @property
    def offers_entry(self) -> bool:
        """True when pages show a button to register: `may_register`, where people may play."""
        return self.may_register and not mark.told.get()

    @property
    def seats_strangers(self) -> bool:
        """True for a Sit & Go ahead whose free seats anybody may take."""
        shown = self.summary
        is_public = not shown.private and shown.entered_by == Audience.EVERYBODY
        return self.offers_entry and shown.start == Start.SIT_AND_GO and is_public

    @property
    def tables(self) -> set[int]:
        """Tables of the visitor's seats, moves included."""
        return {seat.table for seat in self.seats}

    @property
    def price(self) -> int:
        """Buy-in, bounty and fee."""
        return self.summary.buy_in + self.summary.bounty + self.summary.fee

    @property
    def pool(self) -> int:
        """The prize pool, or the guarantee if larger."""
        return max(self.summary.pool, self.summary.guarantee)

    @property
    def in_play(self) -> bool:
        """True between the start and the end."""
        return self.summary.state in lifecycle.PLAYED

    @property
    def is_over(self) -> bool:
        """True when finished or cancelled."""
        return self.summary.state in lifecycle.ENDED

    @property
    def is_open(self) -> bool:
        """True when this visitor plays in it, or neither password nor list keeps viewers out."""
        closed = self.summary.private or self.summary.watched_by == Audience.INVITED
        return self.mine or not closed

    @property
    def is_ahead(self) -> bool:
        """True before the start."""
        return not self.in_play and not self.is_over

    @property
    def order(self) -> int:
        """Sort key of its state."""
        return _ORDER.index(self.summary.shown)

    @property
    def shown_words(self) -> str:
        """Its state in words."""
        return str(SHOWN[self.summary.shown])

    @property
    def game(self) -> str:
        """Its game in words, with the bets of split or spread limit."""
        return game(self.summary.variant, self.summary.limit, self.summary.bets)

    @property
    def format_words(self) -> str:
        """Its format in words, as far as it is not the usual one."""
        usual = self.summary.format == Format.FREEZEOUT
        return "" if usual else str(Format(self.summary.format).label)

    @property
    def kinds(self) -> str:
        """Names of the lobby's filters that match the row."""
        facts = {
            "open": self.summary.state == State.REGISTERING or self.summary.late,
            "running": self.in_play,
            "mine": self.mine,
            self.summary.start: True,
            "free": self.price == 0,
            "bounty": self.summary.bounty > 0,
            "satellite": self.summary.format == Format.SATELLITE,
            "turbo": 0 < self.summary.speed_ms <= TURBO_MS,
            "heads_up": self.summary.seats_per_table == 2,
            "over": self.is_over,
        }
        return " ".join(name for name, holds in facts.items() if holds)


class PlayerRank(msgspec.Struct, frozen=True):
    """A player in a started tournament: table and rank while seated, the best place of entries out.

    `left` are players, `average` is in chips.
    """

    table: int | None
    rank: int | None
    place: int | None
    left: int
    average: int


def lobby_rows(user: User | None) -> list[LobbyRow]:
    """Return every row of the lobby with the buttons of this visitor."""
    return _rows(overview.lobby(), user)


def club_rows(clubs: Collection[int], user: User | None) -> list[LobbyRow]:
    """Return the rows of these clubs' tournaments with the buttons of this visitor."""
    return _rows(overview.of_clubs(clubs), user)


def all_rows() -> list[LobbyRow]:
    """Return the rows of the room and of all clubs, without buttons."""
    return _rows(overview.everything(), None)


def lobby_row(tournament: Tournament, user: User | None) -> LobbyRow:
    """Return one row of the lobby with the buttons of this visitor."""
    [row] = _rows([overview.summary(tournament)], user)
    return row


def seats_on_offer(rows: Sequence[LobbyRow], user: User) -> list[LobbyRow]:
    """Return tournaments with a seat within the player's money, soonest first."""
    # Registration refuses a bonus that does not pay there; the next tournament is tried then.
    held = held_by(user) + held_by(user, AccountKind.BONUS)
    fitting = [
        row
        for row in rows
        if row.may_register
        and not row.mine
        and not row.summary.private
        and row.summary.entered_by == Audience.EVERYBODY
        and row.summary.methods != Methods.TICKET
        and row.price <= held
    ]
    now_ms = int(timezone.now().timestamp() * 1_000)
    return sorted(fitting, key=lambda row: _soonness(row, now_ms))


def standing(tournament: Tournament, user: User, table: int | None = None) -> PlayerRank:
    """Return rank and table of the player's stack at that `table`, else of the largest (E-03).

    Ranks are counted like those of the page's head.
    """
    own = players.own(tournament, user)
    there = [entry for entry in own if entry.table is not None and entry.table == table]
    mine = next(iter(there or own), None)
    return PlayerRank(
        table=mine.table if mine else None,
        rank=mine.rank if mine else None,
        place=min((entry.place for entry in own if entry.place), default=None),
        left=tournament.left,
        average=field.chips(tournament).average,
    )


def my_seats(user: User) -> list[MySeat]:
    """Return the player's seats at open tables of all games, open moves included, by table.

    A seat that folded where its player is free since is none any more (R-03).
    """
    rows = Seat.objects.filter(user=user, table__status=Table.Status.OPEN).select_related("table")
    seats = [seat for seat in rows if not director.freed(seat.table.director, [seat.entry])]
    moves = Move.objects.filter(entry__user=user, state=Move.State.LEFT).select_related("to_table")
    places = [(seat.table, seat.seat, "") for seat in seats]
    places += [(move.to_table, move.to_seat, move.reason) for move in moves]
    own = {table.game for table, _, _ in places if table.director == locks.DIRECTOR}
    names = dict(Tournament.objects.filter(pk__in=own).values_list("pk", "name"))
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
    live = Entry.objects.filter(user=user, state__in=Entry.LIVE)
    return dict(live.values_list("tournament", "state"))


def my_starts(user: User) -> list[MyStart]:
    """Return the set starts of tournaments a player is registered for, the soonest first."""
    ahead = Tournament.objects.filter(
        state=State.REGISTERING,
        starts_at__isnull=False,
        entries__user=user,
        entries__state=Entry.State.REGISTERED,
    )
    rows = ahead.distinct().order_by("starts_at", "pk")
    return [MyStart(row.pk, row.name, row.starts_at_ms or 0) for row in rows]


def _rows(summaries: Sequence[Summary], user: User | None) -> list[LobbyRow]:
    bought = slots.bought(user, [shown.tournament for shown in summaries]) if user else {}
    seats = my_seats(user) if user else []
    closed = audiences.closed_to(user, _audiences(summaries)) if user else set()
    return [
        _row(
            summary,
            bought.get(summary.tournament, []),
            seats,
            closed=summary.tournament in closed,
        )
        for summary in summaries
    ]


def _audiences(summaries: Sequence[Summary]) -> list[tuple[int, int, str]]:
    return [
        (summary.tournament, summary.club, summary.entered_by)
        for summary in summaries
        if summary.club is not None
    ]


def _row(
    summary: Summary, own: Sequence[Own], seats: Sequence[MySeat], *, closed: bool
) -> LobbyRow:
    mine = any(entry.live for entry in own)
    return LobbyRow(
        summary=summary,
        mine=mine,
        seats=tuple(seat for seat in seats if seat.tournament == summary.tournament),
        entry="" if closed else _next_entry(summary, own),
        may_unregister=mine and summary.state == State.REGISTERING,
    )


def _next_entry(summary: Summary, own: Sequence[Own]) -> NextEntry:
    late = summary.late and summary.state in lifecycle.PLAYED
    terms = EntryTerms(
        state=summary.state,
        is_open=late or summary.state == State.REGISTERING,
        is_full=summary.full,
        players_max=summary.players_max,
        entries_max=summary.entries_max,
        several_at_once=summary.several,
    )
    try:
        slots.following(own, terms)
    except Refusal:
        return ""
    if not own:
        return "first"
    return "another" if any(entry.live for entry in own) else "again"


def _soonness(row: LobbyRow, now_ms: int) -> tuple[int, int, int]:
    """Order: Sit & Gos one player short, starts soon, Sit & Gos with players, later starts."""
    summary = row.summary
    if summary.start == Start.SIT_AND_GO:
        free = summary.players_max - summary.entrants
        rank = 0 if free == 1 else 2 if summary.entrants else 4
        return rank, free, summary.tournament
    starts_at_ms = summary.starts_at_ms or 0
    rank = 1 if starts_at_ms - now_ms < SOON_MS else 3
    return rank, starts_at_ms, summary.tournament


def exported_entries(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the rows of a player's entries for the export of the account, newest first."""
    columns = ("tournament", "tournament__name", "number", "state", "registered_at", "out_at")
    paid = ("paid_buy_in", "paid_bounty", "paid_fee", "place")
    rows = Entry.objects.filter(user=user).order_by("-pk")
    found: Iterable[Mapping[str, Any]] = rows.values(*columns, *paid)[: limits.EXPORTED_ROWS_MAX]
    return found
