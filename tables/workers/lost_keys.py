"""Hands in play whose deck key is lost: found, and void only when an operator says so."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, QuerySet
from redis import Redis

from tables.fairness.leaves import FateReason
from tables.models import DecidedHand, Table
from tables.store import deck_keys, fenced, readable
from tables.store.deck_keys import NoDeckKey
from tables.workers import recovery


def locked_tables(redis: Redis) -> list[int]:
    """Return the open tables whose state no key of this process opens; nothing is changed."""
    rows = Table.objects.filter(status=Table.Status.OPEN).order_by("pk")
    return [table for table in rows.values_list("pk", flat=True) if _is_locked(redis, table)]


def give_up(redis: Redis, tables: Sequence[int]) -> int:
    """Void the hands of locked tables, and let workers start with the keys held here.

    Chips are those before the hand. Returns the number of tables that were rebuilt.
    """
    _decided().filter(table__in=[t for t in tables if _is_row_locked(t)]).delete()
    redis.delete(deck_keys.NAMES)
    deck_keys.held.check(redis)
    epochs = Table.objects.filter(pk__in=tables).values_list("pk", "epoch")
    return sum(
        recovery.rebuild(redis, table, seen_epoch=epoch, reason=FateReason.KEY_LOST)
        for table, epoch in epochs
    )


def _is_locked(redis: Redis, table: int) -> bool:
    try:
        fenced.peek(redis, table)
    except NoDeckKey:
        return True
    return _is_row_locked(table)


def _is_row_locked(table: int) -> bool:
    row = _decided().filter(table=table).first()
    if row is None:
        return False
    try:
        readable.kept_state(bytes(row.state))
    except NoDeckKey:
        return True
    return False


def _decided() -> QuerySet[DecidedHand]:
    """Return the decided hands that are not settled; rows of earlier ones stay beside them."""
    number, epoch = F("table__hand") + 1, F("table__epoch")
    return DecidedHand.objects.filter(number=number, epoch=epoch)
