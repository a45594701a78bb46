"""Rows of one tournament that its invariants compare, read in few statements."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q

from accounts.models import Account, AccountKind, Posting
from tables.models import Hand, Seat, Table
from tables.records import hand_months
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, KnockOut, Move, Offer, Tournament
from tournaments.models.tournament import State


class EntryRow(NamedTuple):
    """State, chips and money of an entry; money in cents."""

    pk: int
    user: int
    state: str
    place: int | None
    prize: int
    paid_buy_in: int
    paid_bounty: int
    head: int
    bounties_won: int
    chips_bought: int
    dead_chips: int


class SeatRow(NamedTuple):
    """Entry, player and chips at a seat, with its table and the status of that."""

    table: int
    entry: int
    user: int
    status: str
    chips: int


@dataclass(frozen=True, slots=True)
class Rows:
    """One tournament as stored in PostgreSQL.

    `tables` are its tables with the current hand, `leaving` the chips of entries between two seats,
    `heading` the tables these entries move to, `merging` the chips between two entries, `hands`
    pairs of table and number in the order of settling; `placed_early` the knock-outs placed in the
    hand-for-hand round that is open; `pool`, `bounty` and `reserve` are the balances of its
    accounts in cents, None without an account; `prizes` are booked cents by entry, `heads` booked
    bounties by kind of account.
    """

    tournament: Tournament
    entries: tuple[EntryRow, ...]
    seats: tuple[SeatRow, ...]
    leaving: dict[int, int]
    heading: dict[int, int]
    merging: int
    tables: dict[int, int]
    hands: tuple[tuple[int, int], ...]
    placed_early: int
    pool: int | None
    bounty: int | None
    reserve: int | None
    prizes: dict[int, int]
    heads: dict[str, int]

    @property
    def played(self) -> list[EntryRow]:
        """Entries that took part in play."""
        return [row for row in self.entries if row.state in Entry.PLAYED]

    @property
    def paying(self) -> list[EntryRow]:
        """Entries whose money is in the tournament."""
        counted = (*Entry.LIVE, *Entry.PLAYED)
        return [row for row in self.entries if row.state in counted]

    @property
    def unpaid(self) -> dict[int, int]:
        """Prizes by entry that batches of the end have not paid yet (T-07)."""
        return {
            row.pk: row.prize for row in self._waiting if row.prize and row.pk not in self.prizes
        }

    @property
    def unpaid_bounties(self) -> int:
        """Heads, and bounties paid at the end, that batches of the end have not paid yet (N-06)."""
        at_end = self.tournament.bounties_at_end
        return sum(row.head + (row.bounties_won if at_end else 0) for row in self._waiting)

    @property
    def _waiting(self) -> list[EntryRow]:
        paid = self.tournament.paying
        return [] if paid is None else [row for row in self.paying if row.pk > paid]


def of(tournament: Tournament) -> Rows:
    """Read the rows of a tournament; the caller's transaction makes them one snapshot."""
    entries = tournament.entries.order_by("pk").values_list(
        *("pk", "user_id", "state", "place", "prize", "paid_buy_in", "paid_bounty", "head"),
        *("bounties_won", "chips_bought", "dead_chips"),
    )
    tables = Table.objects.filter(director=DIRECTOR, game=tournament.pk)
    seats = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk)
    moves = tournament.moves.filter(state=Move.State.LEFT)
    leaving = list(moves.values_list("entry_id", "chips", "to_table_id"))
    merging = tournament.offers.filter(kind=Offer.Kind.MERGE, state=Offer.State.ACCEPTED)
    hands = Hand.objects.filter(hand_months.of_game(DIRECTOR, tournament.pk)).order_by("pk")
    kinds = (AccountKind.POOL, AccountKind.BOUNTY, AccountKind.RESERVE)
    balances = dict(
        Account.objects.filter(kind__in=kinds, ref=tournament.member).values_list("kind", "balance")
    )
    prizes, heads = booked(tournament)
    return Rows(
        tournament=tournament,
        entries=tuple(EntryRow(*row) for row in entries),
        seats=tuple(
            SeatRow(*row)
            for row in seats.values_list("table", "entry", "user_id", "table__status", "chips")
        ),
        leaving={entry: chips for entry, chips, _ in leaving},
        heading={entry: table for entry, _, table in leaving},
        merging=sum(merging.values_list("chips", flat=True)),
        tables=dict(tables.order_by("pk").values_list("pk", "hand")),
        hands=tuple(hands.values_list("table_id", "number")),
        placed_early=_placed_early(tournament),
        pool=balances.get(AccountKind.POOL),
        bounty=balances.get(AccountKind.BOUNTY),
        reserve=balances.get(AccountKind.RESERVE),
        prizes=prizes,
        heads=heads,
    )


def _placed_early(tournament: Tournament) -> int:
    if not tournament.round_open or tournament.state == State.FINISHED:
        return 0
    outs = KnockOut.objects.filter(tournament=tournament, round=tournament.round, placed=True)
    return outs.count()


def booked(tournament: Tournament) -> tuple[dict[int, int], dict[str, int]]:
    """Booked prizes by entry, in money or as a ticket, and bounties by kind of account."""
    prizes: Counter[int] = Counter()
    heads: Counter[str] = Counter()
    bounty = f"bounty:{tournament.pk}:"
    rows = Posting.objects.filter(
        Q(transfer__key__startswith=f"prize:{tournament.pk}:")
        | Q(transfer__key__startswith=f"cash_out:{tournament.pk}:")
        | Q(transfer__key__startswith=bounty)
    )
    for key, kind, amount in rows.values_list("transfer__key", "account__kind", "amount"):
        if key.startswith(bounty):
            heads[kind] += amount
        elif kind in (AccountKind.PLAYER, AccountKind.TICKET):
            prizes[int(key.rpartition(":")[2])] += amount
    return dict(prizes), dict(heads)
