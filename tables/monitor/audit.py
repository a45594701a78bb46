"""Audit of tables in Redis: each has a wake, and no hand in play makes or loses a chip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.conf import settings
from redis import Redis

from tables.dealer.state import BEING_PLAYED, TableState
from tables.models import Seat, Table
from tables.store import fenced, keys


def without_wake(redis: Redis, members: Iterable[str]) -> list[str]:
    """Members without a wake, so that no worker would ever look at them again."""
    wanted = list(members)
    with redis.pipeline(transaction=False) as pipe:
        for member in wanted:
            pipe.zscore(keys.wakes(keys.shard(member, settings.SHARDS)), member)
        scores = pipe.execute()
    return [member for member, score in zip(wanted, scores, strict=True) if score is None]


def chips(redis: Redis, tables: Iterable[Table]) -> Iterator[str]:
    """Violations of chip conservation: within a hand, and between Redis and PostgreSQL."""
    for table in tables:
        state = fenced.peek_open(redis, table.pk)
        if state is None or state.epoch != table.epoch:
            continue  # the table is being rebuilt; its wake, checked elsewhere, brings it back
        if state.phase in BEING_PLAYED:
            yield from in_hand(state)
        if state.phase in (*BEING_PLAYED, "finished") and state.hand_number == table.hand + 1:
            yield from _against_rows(state)


def in_hand(state: TableState) -> Iterator[str]:
    """Violation when a hand in play does not hold the chips it began with."""
    hand = state.hand
    assert hand is not None
    began = sum(seat.start for seat in hand.seats)
    # Collected pots are part of `committed` already; a seat's bet is not counted again.
    now = sum(seat.stack + seat.committed for seat in hand.seats) + hand.dead
    if now != began:
        yield f"table {state.table} hand {hand.hand} began with {began} chips and has {now}"


def _against_rows(state: TableState) -> Iterator[str]:
    rows = Seat.objects.filter(table=state.table, table__epoch=state.epoch)
    settled = dict(rows.filter(table__hand=state.hand_number - 1).values_list("entry", "chips"))
    if not settled:
        return  # the hand was settled in between
    held = sum(settled.values())
    here = sum(seat.chips for seat in state.seats) + _raked(state)
    if held != here:
        yield f"table {state.table} has {here} chips in Redis and {held} in PostgreSQL"


def _raked(state: TableState) -> int:
    """Rake of a hand that is over and not settled yet, in chips (R-02)."""
    if state.phase != "finished" or state.hand is None:
        return 0
    return sum(award.rake for award in state.hand.awarded)
