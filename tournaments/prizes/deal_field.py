"""Conditions of a deal at a final table: players, stacks and shares (Y-01, Y-02)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from django.db.models import QuerySet

from accounts.models import User
from tables.models import Seat, Table
from tournaments import chips_in_play, locks
from tournaments.choices import KindNotAllowed
from tournaments.engine import deals as rules
from tournaments.events.formats import DealsOpen
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Deal, Entry, Tournament
from tournaments.models.tournament import State
from tournaments.refusals import DealPending, DealRefusedBefore, NoDeals, NotInDeal


def entry_of(tournament: Tournament, user: User) -> Entry:
    """Return a player's live entry with a vote; raise RuleRefusal when there is none."""
    seated = tournament.entries.filter(user=user, state=Entry.State.SEATED).order_by("pk")
    entry = seated.first()
    if entry is None:
        raise NotInDeal
    return entry


def validate_proposal(tournament: Tournament, entry: Entry, kind: str) -> None:
    """Refuse an impossible proposal; each player has one until the next knock-out."""
    rules.check_kind(kind)
    if kind not in kinds(tournament):
        raise KindNotAllowed(kinds(tournament))
    if not possible(tournament):
        raise NoDeals
    if tournament.deals.filter(state__in=Deal.PENDING).exists():
        raise DealPending
    refused = tournament.deals.filter(proposed_by=entry, state=Deal.State.REFUSED)
    if any(len(deal.stacks) in (0, tournament.left) for deal in refused):
        raise DealRefusedBefore


def kinds(tournament: Tournament) -> tuple[str, ...]:
    """Return the kinds of deals a proposal may choose from; all when none is set (Y-02)."""
    return tuple(kind for kind in rules.KINDS if kind in tournament.deal_kinds) or rules.KINDS


def possible(tournament: Tournament) -> bool:
    """Return whether the live entries sit at one table and their unpaid prizes are certain."""
    if tournament.state != State.RUNNING or not _has_prizes_to_deal(tournament):
        return False
    tables = _open_tables(tournament)
    return (
        tables.count() == 1
        and Seat.objects.filter(table__in=tables).count() == tournament.left
        and not tournament.entries.filter(state=Entry.State.PENDING).exists()
    )


def unpaid(tournament: Tournament) -> list[int]:
    """Return the prizes of the places still open to the live entries, best first (Y-02)."""
    return [prize for prize in tournament.prizes[: tournament.left] if prize]


def standing_stacks(tournament: Tournament) -> dict[int, int] | None:
    """Return the stacks at a final table between two hands; None in a hand or without one."""
    tables = list(_open_tables(tournament))
    if len(tables) != 1 or tables[0].granted_hand > tables[0].hand:
        return None
    stacks = chips_in_play.by_entry(tournament)
    return stacks if len(stacks) == tournament.left and all(stacks.values()) else None


def by_chips(stacks: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return entries and their chips, the largest stack first, equal stacks in the given order."""
    return sorted(stacks.items(), key=lambda stack: -stack[1])


def shares(tournament: Tournament, kind: str, stacks: Mapping[int, int]) -> list[list[int]]:
    """Return entries and their shares in cents, the largest stack first (Y-02)."""
    ordered = by_chips(stacks)
    chips = [chips for _, chips in ordered]
    amounts = rules.shares(
        cast(rules.Kind, kind),
        chips,
        unpaid(tournament),
        by_chips=cast(rules.ByChips, tournament.deal_by_chips),
    )
    assert sum(amounts) == sum(unpaid(tournament)), "the shares of a deal sum to the unpaid prizes"
    return [[entry, share] for (entry, _), share in zip(ordered, amounts, strict=True)]


def tell_possible(tx: TournamentTransaction, users: Iterable[int]) -> None:
    """Tell the players at the final table that a deal is possible from now on (Y-01).

    While anything is sold it is not: `tell_pool_fixed` tells them afterwards.
    """
    tournament = tx.tournament
    if _has_prizes_to_deal(tournament):
        for user in users:
            event = DealsOpen(tournament.pk, tournament.name, tournament.left)
            tx.notify(user, event)


def tell_pool_fixed(tx: TournamentTransaction) -> None:
    """Tell the players left, where all are at one table when the pool is fixed (Y-01, E-07)."""
    tournament = tx.tournament
    if tournament.deals_allowed and _open_tables(tournament).count() == 1:
        seated = tournament.entries.filter(state=Entry.State.SEATED).order_by("user")
        tell_possible(tx, seated.values_list("user", flat=True).distinct())


def agreed_prizes(tournament: Tournament) -> list[int] | None:
    """Return the prizes by place of an agreed deal; None without one."""
    if not tournament.deals_allowed:
        return None
    deal = tournament.deals.filter(state=Deal.State.AGREED).first()
    if deal is None:
        return None
    return [share for _, share in deal.shares] + list(tournament.prizes[len(deal.shares) :])


def _has_prizes_to_deal(tournament: Tournament) -> bool:
    """Return whether deals are allowed, and the prizes still open to several entries certain."""
    if not tournament.deals_allowed or tournament.time_over or tournament.pool is None:
        return False
    return tournament.left >= 2 and bool(unpaid(tournament))


def _open_tables(tournament: Tournament) -> QuerySet[Table]:
    return Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk, status="open")
