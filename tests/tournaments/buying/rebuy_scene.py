"""Running tournaments with re-buys, and players who bust in them."""

from __future__ import annotations

from typing import Any

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from config import redis
from tables.dealer import director
from tables.dealer.grants import Close, Grant, Wait
from tables.models import Seat, Table
from tables.workers.opening import open_tables
from tests.tournaments.cast import Arena, passive
from tests.tournaments.entries.late_entries import late
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.models import Entry, Offer, Tournament

SMALL = 100


def rebuys(players: int, **fields: Any) -> Tournament:
    """A running tournament with re-buys of a stack for 900 and 50, through level 1."""
    wanted: dict[str, Any] = {
        "late_ends": "never_open",
        "late_value": 0,
        "rebuys_max": 1,
        "rebuy_until_level": 1,
        "rebuy_price": 900,
        "rebuy_fee": 50,
    }
    return late(players, **(wanted | fields))


def dealt_in(tournament: Tournament, seat: Seat, *, absent: bool = False) -> Arena:
    """Arena with a hand dealt at the table of a seat that has only `SMALL` chips."""
    heir = Seat.objects.filter(table=seat.table_id).exclude(pk=seat.pk).order_by("pk")[0]
    Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + seat.chips - SMALL)
    Seat.objects.filter(pk=seat.pk).update(chips=SMALL, absent=absent)
    redis.room().flushall()
    open_tables([seat.table_id])
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert seat.table_id in arena.tables()
    assert arena.step(seat.table_id) == "grant"
    arena.step(seat.table_id)
    return arena


def bust(tournament: Tournament, *, absent: bool = False) -> tuple[Arena, Entry]:
    """Play a hand in which one player loses all chips; return the arena and the player's entry."""
    seat = Seat.objects.order_by("pk")[0]
    arena, table = dealt_in(tournament, seat, absent=absent), seat.table_id
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    return arena, Entry.objects.get(pk=seat.entry)


def open_rebuy_offer(entry: Entry) -> Offer:
    """The only open offer of an entry."""
    return Offer.objects.get(entry=entry, state="open")


def held(user: User) -> int:
    """Balance of a player's account, in cents."""
    return transfers.balance(transfers.account(AccountKind.PLAYER, user=user))


def next_hand(table: int) -> Grant | Wait | Close:
    """Answer of the director to a table about its next hand."""
    row = Table.objects.get(pk=table)
    return director.of("tournament").next(table, row.hand + 1)


def player_at_two_tables(**fields: object) -> tuple[Tournament, list[Entry]]:
    """A tournament of two tables and the entries of a player who sits at both."""
    options = {"several_at_once": True, "entries_max": 2, "seats_per_table": 3} | fields
    tournament = rebuys(6, **options)
    tables = list(Table.objects.order_by("pk"))
    seats = [Seat.objects.filter(table=table).order_by("pk")[0] for table in tables]
    entries = [Entry.objects.get(pk=seat.entry) for seat in seats]
    user = entries[0].user_id
    Entry.objects.filter(pk=entries[1].pk).update(user=user, slot=2)
    Seat.objects.filter(pk=seats[1].pk).update(user=user)
    return tournament, [Entry.objects.select_related("user").get(pk=one.pk) for one in entries]
