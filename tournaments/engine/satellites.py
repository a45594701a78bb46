"""Satellites: the end of play, and the prize of each place as a ticket, its worth, or the rest."""

from __future__ import annotations

from collections.abc import Set
from typing import Literal

import msgspec

from tournaments.engine.payouts import satellite

Kind = Literal["ticket", "worth", "cash"]


class TicketPrize(msgspec.Struct, frozen=True):
    """The prize of a place: a ticket, the ticket's worth in money, or the rest of the pool."""

    place: int
    kind: Kind
    amount: int


def is_over(left: int, tickets: int) -> bool:
    """Return whether only ticket winners are left; without a whole ticket play goes on (K-08)."""
    return left <= max(1, tickets)


def takes_ticket(
    won: int, *, entries_max: int, registered: bool = False, worth_if_registered: bool = True
) -> bool:
    """Return whether a place's winner gets the ticket instead of its worth in money (K-08).

    `won` counts tickets of the same player's better places. The target takes `entries_max` entries
    of a player: a ticket beyond that number could never be used, so it is paid in money, whatever
    the setting for other money. A player registered there gets the worth by setting.
    """
    if registered and worth_if_registered:
        return False
    return won < max(1, entries_max)


def ticket_prizes(
    pool: int,
    ticket: int,
    entrants: int,
    *,
    winners_cash: bool = True,
    places_registered: Set[int] = frozenset(),
    worth_if_registered: bool = True,
) -> list[TicketPrize]:
    """Return the prizes of the places from the top (K-07, K-08).

    Places with a winner who is registered for the target get the ticket's worth in money, by
    setting. There are no more tickets than entrants: money beyond goes to the first place.
    """
    assert entrants >= 1, "a pool needs at least one entrant"
    count, rest = satellite(pool, ticket)
    tickets = min(count, entrants)
    prizes = [
        TicketPrize(
            place,
            "worth" if worth_if_registered and place in places_registered else "ticket",
            ticket,
        )
        for place in range(1, tickets + 1)
    ]
    cash = rest + (count - tickets) * ticket
    if cash and winners_cash:
        prizes.append(TicketPrize(tickets + 1 if tickets < entrants else 1, "cash", cash))
    return prizes
