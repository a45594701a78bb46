"""Prize pool of a tournament and the prizes of its places (Z-01, Z-02)."""

from __future__ import annotations

from django.db.models import Sum

from tournaments.engine import payout_tables, payouts
from tournaments.engine.entries import prize_pool
from tournaments.engine.payout_tables import PayoutTable
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.prizes import by_format, promises, satellites, spins

COUNTED = (*Entry.LIVE, *Entry.PLAYED)
"""States of entries with a buy-in in the pool (Z-01)."""


def collected(tournament: Tournament) -> int:
    """Return the buy-in parts of counted entries, in cents (Z-01)."""
    paid = tournament.entries.filter(state__in=COUNTED)
    total: int = paid.aggregate(total=Sum("paid_buy_in", default=0))["total"]
    return total


def expected_pool(tournament: Tournament, paid: int) -> int:
    """Return the pool if entries closed now with `paid` cents of buy-ins (Z-01)."""
    if tournament.format_rules.draws_pool:
        return spins.pool(tournament)
    return prize_pool(contributions=paid, added=tournament.added, guarantee=tournament.guarantee)


def fix(tx: TournamentTransaction) -> None:
    """Fix pool and prizes after entries closed; the room pays its overlay (Z-01, E-07)."""
    tournament = tx.tournament
    assert tournament.pool is None, "a pool is fixed once"
    paid = collected(tournament)
    whole = expected_pool(tournament, paid)
    tournament.prizes = amounts(tournament, tournament.entrants, whole)
    tournament.pool = sum(tournament.prizes)
    assert tournament.pool == whole or satellites.is_one(tournament), "prizes sum to the pool"
    tx.pay(promises.overlay(tournament, tournament.pool - paid))


def amounts(tournament: Tournament, entrants: int, pool: int) -> list[int]:
    """Return the prizes by place for a field and pool, by format or payout table (Z-02)."""
    if satellites.is_one(tournament):
        return satellites.prizes(tournament, entrants, pool)
    own = by_format.at_start(tournament, pool)
    return own or payouts.prizes(scheme(tournament), entrants, pool, buy_in=tournament.buy_in)


def scheme(tournament: Tournament) -> str | PayoutTable:
    """Return the payout table of a tournament: its own rows, else the named preset (Z-02)."""
    if tournament.payout_table is None:
        return tournament.payout_preset
    return payout_tables.decoded(tournament.payout_table)


def overlay_of(tournament: Tournament) -> int:
    """Return the room's overlay in the pool, in cents; 0 before the pool is fixed."""
    return 0 if tournament.pool is None else tournament.pool - collected(tournament)


def places_paid(tournament: Tournament) -> int:
    """Return the number of paid places, of the present pool until it is fixed."""
    return sum(1 for prize in payable(tournament) if prize)


def bubble_at(tournament: Tournament) -> int:
    """Return the number of players left at which all of them win a ticket, else money.

    Of the present pool until it is fixed.
    """
    if satellites.is_one(tournament):
        return satellites.tickets_among(tournament, payable(tournament))
    return places_paid(tournament)


def payable(tournament: Tournament) -> list[int]:
    """Return the prizes by place in cents, of the present pool while entries are open (E-07)."""
    if tournament.pool is not None or not tournament.entrants:
        return list(tournament.prizes)
    return amounts(tournament, tournament.entrants, pool_now(tournament))


def pool_now(tournament: Tournament) -> int:
    """Return the pool in cents, of the present entries until it is fixed (Z-01)."""
    if tournament.pool is not None:
        return tournament.pool
    return expected_pool(tournament, collected(tournament))
