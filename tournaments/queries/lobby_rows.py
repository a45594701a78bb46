"""Rows of the lobby as one visitor sees them, with the entry that the visitor may buy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
from django.utils import timezone

from accounts.ledger.transfers import held_by
from accounts.models import AccountKind, User
from accounts.research import mark
from config.refusals import Refusal
from tournaments.buying import slots
from tournaments.buying.slots import EntryTerms, Own
from tournaments.engine import lifecycle
from tournaments.entries import audiences
from tournaments.events.lobby_row import Summary
from tournaments.models import Tournament
from tournaments.models.audience import Audience
from tournaments.models.options.formats import Format
from tournaments.models.options.prizes import Methods
from tournaments.models.tournament import Start, State
from tournaments.queries import overview
from tournaments.queries.mine import MySeat, my_seats
from tournaments.words import SHOWN, game

TURBO_MS = 5 * 60_000
"""Longest level of a turbo."""


SOON_MS = 5 * 60_000


_ORDER = list(SHOWN)


NextEntry = Literal["", "first", "another", "again"]
"""The entry a visitor may buy now: the first, another beside live ones, or one after going out."""


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
        """The prize pool, or the guarantee if larger; none once cancelled."""
        if self.summary.state == State.CANCELLED:
            return 0
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


def in_lobby(user: User | None) -> list[LobbyRow]:
    """Return every row of the lobby with the buttons of this visitor."""
    return _rows(overview.lobby(), user)


def of_clubs(clubs: Collection[int], user: User | None) -> list[LobbyRow]:
    """Return the rows of these clubs' tournaments with the buttons of this visitor."""
    return _rows(overview.of_clubs(clubs), user)


def everywhere() -> list[LobbyRow]:
    """Return the rows of the room and of all clubs, without buttons."""
    return _rows(overview.everything(), None)


def of_tournament(tournament: Tournament, user: User | None) -> LobbyRow:
    """Return one row of the lobby with the buttons of this visitor."""
    return of_summary(overview.summary(tournament), user)


def of_summary(summary: Summary, user: User | None) -> LobbyRow:
    """Return one row of the lobby, whose values for all are known, with this visitor's buttons."""
    [row] = _rows([summary], user)
    return row


def seats_on_offer(rows: Sequence[LobbyRow], user: User) -> list[LobbyRow]:
    """Return tournaments with a seat within the player's money, soonest first."""
    # Registration refuses a bonus that does not pay there; the next tournament is tried then.
    held = held_by(user) + held_by(user, AccountKind.BONUS)
    now_ms = int(timezone.now().timestamp() * 1_000)
    within = [row for row in _free_seats(rows) if row.price <= held]
    return sorted(within, key=lambda row: _soonness(row, now_ms))


def cheapest_seat(rows: Sequence[LobbyRow]) -> int | None:
    """Return the least price in cents of a seat that anybody may take with money; None for none."""
    return min((row.price for row in _free_seats(rows)), default=None)


def _free_seats(rows: Sequence[LobbyRow]) -> list[LobbyRow]:
    return [
        row
        for row in rows
        if row.may_register
        and not row.mine
        and not row.summary.private
        and row.summary.entered_by == Audience.EVERYBODY
        and row.summary.methods != Methods.TICKET
    ]


def _rows(summaries: Sequence[Summary], user: User | None) -> list[LobbyRow]:
    bought = slots.bought(user.pk, [shown.tournament for shown in summaries]) if user else {}
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
