"""Prizes by place, and the prizes still open to the players left, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec
from django.db.models import Min

from tournaments.engine import lifecycle
from tournaments.models import Tournament
from tournaments.prizes import pool as prizes
from tournaments.prizes import satellites


class PayoutRow(msgspec.Struct, frozen=True):
    """Places `first` to `last` win `prize` cents each; `share_bp` basis points of the pool.

    `ticket` cents of each prize are a ticket (K-07). `given` of the places have their player; the
    next entry to go out gets one of them when `is_next`.
    """

    first: int
    last: int
    prize: int
    share_bp: int
    ticket: int = 0
    given: int = 0
    is_next: bool = False

    @property
    def places(self) -> int:
        """Number of places in the row."""
        return self.last - self.first + 1


class Prospect(msgspec.Struct, frozen=True):
    """Prizes open to the players left, in cents, by the present prizes.

    After `to_go` more knock-outs every player left has one of the `aim` places: a ticket in a
    satellite, else money. The next entry out wins `next_prize`; once `jump_left` are left, the
    lowest prize is `jump_prize`, 0 when all remaining prizes are equal.
    """

    left: int
    entrants: int
    aim: int
    to_go: int
    next_prize: int
    jump_left: int
    jump_prize: int

    @property
    def jump_more(self) -> int:
        """Difference of the next pay jump to the next prize, in cents."""
        return self.jump_prize - self.next_prize


class Payouts(msgspec.Struct, frozen=True):
    """The rows of a tournament; `places` of them are paid; `prospect` while it is played."""

    rows: list[PayoutRow]
    places: int
    prospect: Prospect | None


def payouts(tournament: Tournament) -> Payouts:
    """Return each place's prize, the prizes won already, and the prospect of the field (Z-02)."""
    amounts, pool = _prizes(tournament)
    rows = rows_of(tournament, amounts, pool)
    if tournament.started_ms is not None:
        rows = _marked(tournament, rows)
    places = rows[-1].last if rows else 0
    return Payouts(rows, places, _prospect(tournament, amounts) if rows else None)


def payout_rows(tournament: Tournament) -> list[PayoutRow]:
    """Return each place's prize; estimated for the present field until the pool is fixed (Z-02)."""
    return rows_of(tournament, *_prizes(tournament))


def rows_of(tournament: Tournament, amounts: Sequence[int], pool: int) -> list[PayoutRow]:
    """Group prizes by place into rows of equal prizes; shares are parts of `pool` in cents."""
    worth = _worth(tournament)
    rows = []
    place = 1
    for prize, group in groupby(amounts):
        last = place + len(list(group)) - 1
        if prize:
            rows.append(
                PayoutRow(place, last, prize, prize * 10_000 // pool, _ticket(prize, worth))
            )
        place = last + 1
    return rows


def _prizes(tournament: Tournament) -> tuple[Sequence[int], int]:
    """Return prizes by place and the pool, in cents."""
    if tournament.pool is not None:
        return tournament.prizes, tournament.pool
    pool = prizes.expected_pool(tournament, prizes.collected(tournament))
    entrants = max(tournament.entrants, tournament.players_min)
    return prizes.amounts(tournament, entrants, pool), pool


def _worth(tournament: Tournament) -> int:
    return satellites.value(tournament) if satellites.is_one(tournament) else 0


def _ticket(prize: int, worth: int) -> int:
    return worth if worth and prize >= worth else 0


def _marked(tournament: Tournament, rows: list[PayoutRow]) -> list[PayoutRow]:
    """Mark given places: from the last one up, and only after the pool is fixed (E-07, T-07)."""
    if tournament.pool is None:
        return rows
    best_given = tournament.entries.aggregate(best=Min("place"))["best"]
    next_out = tournament.left if tournament.state in lifecycle.PLAYED else 0
    return [
        msgspec.structs.replace(
            row,
            given=0 if best_given is None else max(0, row.last - max(row.first, best_given) + 1),
            is_next=row.first <= next_out <= row.last,
        )
        for row in rows
    ]


def _prospect(tournament: Tournament, amounts: Sequence[int]) -> Prospect | None:
    """Return the prospect; None for chips with cash value, which pay no places (A-04)."""
    left = tournament.left
    if tournament.state not in lifecycle.PLAYED or tournament.cash_value or left < 2:
        return None
    worth = _worth(tournament)
    tickets = sum(1 for prize in amounts if _ticket(prize, worth))
    aim = tickets or sum(1 for prize in amounts if prize)
    next_prize = amounts[left - 1] if left <= len(amounts) else 0
    better = [place for place, prize in enumerate(amounts[: left - 1], 1) if prize > next_prize]
    return Prospect(
        left=left,
        entrants=tournament.entrants,
        aim=aim,
        to_go=max(0, left - aim),
        next_prize=next_prize,
        jump_left=better[-1] if better else 0,
        jump_prize=amounts[better[-1] - 1] if better else 0,
    )
