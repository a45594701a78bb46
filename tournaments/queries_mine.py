"""What one visitor sees in the lobby and at a table: the rows with his buttons, his rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from django.db.models import Sum
from django.utils import timezone

from accounts.ledger import account, balance
from accounts.models import AccountKind, User
from tables.models import Seat
from tournaments import locks, queries
from tournaments.client_events import Summary
from tournaments.engine import lifecycle
from tournaments.models import Tournament
from tournaments.models.formats import Format
from tournaments.models.prizes import Methods
from tournaments.models.tournament import Start, State
from tournaments.queries import MySeat
from tournaments.words import SHOWN, game

SOON_MS = 5 * 60_000

_ORDER = list(SHOWN)


class LobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the lobby as one visitor sees it; price and pool in cents."""

    summary: Summary
    mine: bool
    table: int | None
    may_register: bool
    may_unregister: bool

    @property
    def price(self) -> int:
        """Buy-in, bounty and fee."""
        return self.summary.buy_in + self.summary.bounty + self.summary.fee

    @property
    def pool(self) -> int:
        """What the winners share, the guarantee if that is more."""
        return max(self.summary.pool, self.summary.guarantee)

    @property
    def in_play(self) -> bool:
        """Started and not over."""
        return self.summary.state in lifecycle.PLAYED

    @property
    def is_over(self) -> bool:
        """Finished or cancelled."""
        return self.summary.state in lifecycle.ENDED

    @property
    def is_ahead(self) -> bool:
        """Still to start."""
        return not self.in_play and not self.is_over

    @property
    def order(self) -> int:
        """Where its state sorts."""
        return _ORDER.index(self.summary.shown)

    @property
    def shown_words(self) -> str:
        """Its state in words."""
        return str(SHOWN[self.summary.shown])

    @property
    def game(self) -> str:
        """Its game in words."""
        return game(self.summary.variant, self.summary.limit)

    @property
    def format_words(self) -> str:
        """How it is played, as far as that is not the usual way."""
        usual = self.summary.format == Format.FREEZEOUT
        return "" if usual else str(Format(self.summary.format).label)

    @property
    def kinds(self) -> str:
        """The names under which the lobby's filter finds it."""
        facts = {
            "open": self.summary.state == State.REGISTERING or self.summary.late,
            "running": self.in_play,
            "mine": self.mine,
            self.summary.start: True,
            "free": self.price == 0,
            "over": self.is_over,
        }
        return " ".join(name for name, holds in facts.items() if holds)


class Standing(msgspec.Struct, frozen=True):
    """A player in a running tournament: table and rank while seated; left, average in chips."""

    table: int | None
    rank: int | None
    left: int
    average: int


def lobby_rows(user: User | None) -> list[LobbyRow]:
    """Every row of the lobby with the buttons of this visitor."""
    mine = queries.my_tournaments(user) if user else {}
    seats = queries.my_seats(user) if user else []
    return [_row(summary, mine, seats) for summary in queries.lobby()]


def lobby_row(tournament: Tournament, user: User | None) -> LobbyRow:
    """One row of the lobby with the buttons of this visitor."""
    mine = queries.my_tournaments(user) if user else {}
    seats = queries.my_seats(user) if user else []
    return _row(queries.summary(tournament), mine, seats)


def seats_on_offer(rows: Sequence[LobbyRow], user: User) -> list[LobbyRow]:
    """Tournaments to send a player to who wants a seat, soonest first, that the account covers."""
    held = balance(account(AccountKind.PLAYER, user=user))
    fitting = [
        row
        for row in rows
        if row.may_register
        and not row.summary.private
        and row.summary.methods != Methods.TICKET
        and row.price <= held
    ]
    now_ms = int(timezone.now().timestamp() * 1_000)
    return sorted(fitting, key=lambda row: _soonness(row, now_ms))


def standing(tournament: Tournament, user: User) -> Standing:
    """Rank and table of a player, read without the whole field."""
    seat = next((seat for seat in queries.my_seats(user) if seat.tournament == tournament.pk), None)
    field = Seat.objects.filter(table__director=locks.DIRECTOR, table__game=tournament.pk)
    own = field.filter(user=user).values_list("chips", flat=True).first()
    total = field.aggregate(total=Sum("chips", default=0))["total"]
    players = tournament.left or field.count()
    return Standing(
        table=seat.table if seat else None,
        rank=None if own is None else 1 + field.filter(chips__gt=own).count(),
        left=tournament.left,
        average=total // players if players else 0,
    )


def _row(summary: Summary, mine: Mapping[int, str], seats: Sequence[MySeat]) -> LobbyRow:
    is_mine = summary.tournament in mine
    registering = summary.state == State.REGISTERING
    at = [seat.table for seat in seats if seat.tournament == summary.tournament]
    return LobbyRow(
        summary=summary,
        mine=is_mine,
        table=at[0] if at else None,
        may_register=(registering or summary.late) and not is_mine and not summary.full,
        may_unregister=registering and is_mine,
    )


def _soonness(row: LobbyRow, now_ms: int) -> tuple[int, int, int]:
    """First what starts with this player, then what starts soon, then what others wait for."""
    summary = row.summary
    if summary.start == Start.SIT_AND_GO:
        free = summary.players_max - summary.entrants
        rank = 0 if free == 1 else 2 if summary.entrants else 4
        return rank, free, summary.tournament
    starts_at_ms = summary.starts_at_ms or 0
    rank = 1 if starts_at_ms - now_ms < SOON_MS else 3
    return rank, starts_at_ms, summary.tournament
