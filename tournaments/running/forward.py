"""Cancel a tournament by sharing what is unpaid among the entries left, in batches (T-12).

`Tournament.sharing` is the key of the last entry that has its share, committed with each batch: a
worker that dies between two leaves the rest to a later tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from accounts.ledger import transfers
from tournaments import chips_in_play, locks
from tournaments.buying import closing, offers
from tournaments.engine import cancellation, lifecycle
from tournaments.engine.cancellation import RolledForward
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.prizes import bounties, money, placing, pool, promises, tickets
from tournaments.refusals import NotPlayed
from tournaments.running import batches, cancelling
from tournaments.running.ending import close_tables_of_field, end_waiting


class _Left(NamedTuple):
    """Entry left, with its fee and the bounty on its head in cents."""

    pk: int
    paid_fee: int
    head: int


def roll_forward(tx: TournamentTransaction, reason: str) -> None:
    """Pay what is unpaid to the entries in play, by their chips after the last hand (T-12).

    This transaction ends play, fixes every share, and makes the first batch of `wind_up`; the
    ticks that follow make the rest. Unused tickets won for this tournament become money, as in
    `cancelling.roll_back` (K-08). Raises NotPlayed, FeesTaken or ClubFeesTaken.
    """
    tournament = tx.tournament
    if tournament.started_ms is None:
        raise NotPlayed
    offers.withdraw(tx)
    closing.stop(tx)
    if tournament.pool is None:
        pool.fix(tx)
    # A pending entry may still buy again: it counts as left, with no chips.
    tournament.knock_outs.filter(entry__state=Entry.State.PENDING).delete()
    placed = placing.place(tx)
    left, stacks = _left(tournament), chips_in_play.by_entry(tournament)
    forward = _shares(tournament, left, stacks)
    if not forward.in_the_money:
        cancelling.require_fees(tournament, Entry.IN_PLAY)
    _keep_shares(left, forward.shares)
    placing.pay(tx, placed, in_tickets=False)
    tx.pay(promises.overlay_back(tournament, forward.to_room))
    bounties.fix_heads(tx, stacks)
    end_waiting(tx)
    cancelling.announce_end(tx, reason)
    tournament.sharing, tournament.shares_fees = 0, not forward.in_the_money
    # Tables are locked before tickets.
    _make_batch(tx, reason)
    tickets.release(tx)
    _book(tx)


def wind_up(tx: TournamentTransaction) -> None:
    """Close some tables of the tournament; when all are closed, pay the shares of some entries."""
    _make_batch(tx, cancelling.reason_of(tx.tournament))
    _book(tx)


def forward_preview(tournament: Tournament) -> tuple[int, int]:
    """Return how many entries share what is unpaid, and its cents; none after the end (T-12).

    Bounties that are paid at the end are among it, also those of players who are out.
    """
    if tournament.state not in lifecycle.PLAYED:
        return 0, 0
    left = _left(tournament)
    forward = _shares(tournament, left, chips_in_play.by_entry(tournament))
    return len(left), sum(forward.shares) + sum(forward.fees) + bounties.owed_cents(tournament)


def unpaid(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries whose share or bounty the batches have not paid yet."""
    owed = Q(state__in=Entry.IN_PLAY) | bounties.owed(tournament)
    return tournament.entries.filter(owed, pk__gt=tournament.sharing)


def _make_batch(tx: TournamentTransaction, reason: str) -> None:
    tournament = tx.tournament
    tables = locks.some_open_tables(tournament.pk, batches.TABLES)
    close_tables_of_field(tx, tables, standing_too=True)
    if len(tables) == batches.TABLES:
        return
    entries = list(unpaid(tournament).order_by("pk")[: batches.ENTRIES])
    _share(tx, entries, reason)
    tournament.sharing = entries[-1].pk if len(entries) == batches.ENTRIES else None


def _share(tx: TournamentTransaction, entries: Iterable[Entry], reason: str) -> None:
    """Pay these entries their share and their bounty, and tell their players."""
    tournament, entries = tx.tournament, list(entries)
    left = [entry for entry in entries if entry.state in Entry.IN_PLAY]
    Entry.objects.filter(pk__in=[entry.pk for entry in left]).update(state=Entry.State.REFUNDED)
    tx.pay(money.prizes(tournament, left))
    if tournament.shares_fees:
        tx.pay(money.fees_back(left))
    bounties.pay_heads(tx, entries)
    fees = tournament.shares_fees
    back = {entry.pk: entry.prize + (entry.paid_fee if fees else 0) for entry in left}
    cancelling.tell_players(tx, left, back, reason)


def _book(tx: TournamentTransaction) -> None:
    tx.book()
    if tx.tournament.sharing is None:
        held = transfers.balance(money.pool(tx.tournament))
        assert held == 0, "the pool account is empty at the end"


def _left(tournament: Tournament) -> list[_Left]:
    rows = tournament.entries.filter(state__in=Entry.IN_PLAY).order_by("pk")
    return [_Left(*row) for row in rows.values_list("pk", "paid_fee", "head")]


def _keep_shares(left: Sequence[_Left], shares: Sequence[int]) -> None:
    """Store the share of each entry as its prize, in one statement for any field."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_entry e SET prize = v.prize"
            " FROM unnest(%s::bigint[], %s::bigint[]) AS v(id, prize) WHERE e.id = v.id",
            [[entry.pk for entry in left], list(shares)],
        )
        assert cursor.rowcount == len(left), "every share is stored"


def _shares(tournament: Tournament, left: Sequence[_Left], chips: dict[int, int]) -> RolledForward:
    if tournament.cash_value:
        return RolledForward(
            shares=tuple(chips[entry.pk] for entry in left),
            fees=tuple(entry.paid_fee for entry in left),
            bounties=tuple(0 for entry in left),
            to_room=0,
            in_the_money=False,
        )
    prizes = pool.payable(tournament)
    return cancellation.roll_forward(
        [chips.get(entry.pk, 0) for entry in left],
        [prize for prize in prizes[: len(left)] if prize],
        fees=[entry.paid_fee for entry in left],
        bounties=[entry.head for entry in left],
        overlay=max(0, sum(prizes) - pool.collected(tournament)),
    )
