"""The pool of a tournament and what its places are worth (Z-01, Z-02)."""

from __future__ import annotations

from django.db.models import Sum

from tournaments.engine import payout_tables, payouts
from tournaments.engine.payout_tables import PayoutTable
from tournaments.models import Entry, Tournament
from tournaments.models.formats import Format
from tournaments.prizes import by_format, promises, satellites, spins
from tournaments.prizes.money import Payments

COUNTED = (*Entry.LIVE, *Entry.PLAYED)
"""States of entries whose buy-in is in the pool (Z-01)."""


def collected(tournament: Tournament) -> int:
    """Buy-in parts of the entries that are in, in cents (Z-01)."""
    paid = tournament.entries.filter(state__in=COUNTED)
    return paid.aggregate(total=Sum("paid_buy_in", default=0))["total"]


def expected_pool(tournament: Tournament, paid: int) -> int:
    """The pool if entries closed now with `paid` cents of buy-ins (Z-01)."""
    if tournament.format == Format.SPIN:
        return spins.pool(tournament)
    return max(paid + tournament.added, tournament.guarantee)


def fix(tournament: Tournament, payments: Payments) -> None:
    """Entries are closed: the room adds what it owes, pool and prizes are certain (Z-01, E-07).

    The caller holds the lock and saves the row.
    """
    assert tournament.pool is None, "a pool is fixed once"
    paid = collected(tournament)
    whole = expected_pool(tournament, paid)
    tournament.prizes = amounts(tournament, tournament.entrants, whole)
    tournament.pool = sum(tournament.prizes)
    assert tournament.pool == whole or satellites.is_one(tournament), "prizes sum to the pool"
    payments.add(promises.overlay(tournament, tournament.pool - paid))


def amounts(tournament: Tournament, entrants: int, pool: int) -> list[int]:
    """The prizes by place of such a field and pool: the format's own, else the table's (Z-02)."""
    if satellites.is_one(tournament):
        return satellites.prizes(tournament, entrants, pool)
    own = by_format.at_start(tournament, pool)
    return own or payouts.prizes(scheme(tournament), entrants, pool, buy_in=tournament.buy_in)


def scheme(tournament: Tournament) -> str | PayoutTable:
    """The payout table of a tournament: its own rows, else the preset of that name (Z-02)."""
    if tournament.payout_table is None:
        return tournament.payout_preset
    return payout_tables.decoded(tournament.payout_table)


def overlay_of(tournament: Tournament) -> int:
    """What the room put into the pool, in cents; nothing before it is fixed."""
    return 0 if tournament.pool is None else tournament.pool - collected(tournament)


def places_paid(tournament: Tournament) -> int:
    """How many places win money: those of the pool now, as long as it is not fixed."""
    return sum(1 for prize in payable(tournament) if prize)


def bubble_at(tournament: Tournament) -> int:
    """After how many places nobody left can miss what is played for: the tickets, or the money."""
    if satellites.is_one(tournament) and tournament.pool is not None:
        return satellites.winners(tournament)
    return places_paid(tournament)


def payable(tournament: Tournament) -> list[int]:
    """Prizes by place in cents; of the pool as it is now while entries or chips are sold (E-07)."""
    if tournament.pool is not None or not tournament.entrants:
        return list(tournament.prizes)
    return amounts(tournament, tournament.entrants, pool_now(tournament))


def pool_now(tournament: Tournament) -> int:
    """The pool in cents; as long as it is not fixed, what it would be now (Z-01)."""
    if tournament.pool is not None:
        return tournament.pool
    return expected_pool(tournament, collected(tournament))
