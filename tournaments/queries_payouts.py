"""What each place of a tournament wins, as pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from tournaments import prizes, satellites
from tournaments.models import Tournament


class PayoutRow(msgspec.Struct, frozen=True):
    """Places `first` to `last` win `prize` cents each; `share_bp` basis points of the pool.

    `ticket` cents of each prize are a ticket (K-07).
    """

    first: int
    last: int
    prize: int
    share_bp: int
    ticket: int = 0


def payout_rows(tournament: Tournament) -> list[PayoutRow]:
    """What each place wins; an estimate for the present field until the pool is fixed (Z-02)."""
    amounts: Sequence[int] = tournament.prizes
    pool = tournament.pool
    if pool is None:
        pool = prizes.expected_pool(tournament, prizes.collected(tournament))
        entrants = max(tournament.entrants, tournament.players_min)
        amounts = prizes.amounts(tournament, entrants, pool)
    return rows_of(tournament, amounts, pool)


def rows_of(tournament: Tournament, amounts: Sequence[int], pool: int) -> list[PayoutRow]:
    """Prizes by place as rows of equal ones; `pool` in cents is what shares are counted from."""
    worth = satellites.value(tournament) if satellites.is_one(tournament) else 0
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


def _ticket(prize: int, worth: int) -> int:
    return worth if worth and prize >= worth else 0
