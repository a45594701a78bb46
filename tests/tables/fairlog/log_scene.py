"""A table whose seals and fates are logged, and what its log holds."""

from __future__ import annotations

from django.conf import settings
from redis import Redis

from tables.fairlog import log_keys, storage
from tables.fairlog.keeper import Keeper
from tables.fairness.leaves import FateReason
from tables.fairness.notes import LogHead, open_head
from tables.fairness.signing import public_key_of
from tables.models import Hand, Seat, Table
from tables.store import fenced
from tables.workers import recovery, sealing
from tests.tables import playing


def play(room: Redis, hands: int) -> Table:
    """A table of three with so many settled hands."""
    sealing.publish_call_key()
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    while Hand.objects.filter(table=made).count() < hands:
        playing.step_on(room, made.pk)
    return made


def keep_all() -> int:
    """Keep the log until nothing is pending; return the number of leaves."""
    one = Keeper()
    while one.take_turn():
        pass
    return storage.size()


def read_head() -> LogHead:
    """The newest head, opened with the current key."""
    head = storage.head()
    assert head is not None
    return open_head(head.note, settings.FAIR_ORIGIN, public_key_of(log_keys.private_keys()[0]))


def leaves() -> list[bytes]:
    """All leaves in their order."""
    return storage.entries(0, storage.size())


def close_undealt(room: Redis, table: Table) -> None:
    """Let all players but one go, and keep the log of the table that closes with undealt decks."""
    Seat.objects.filter(table=table, seat__gt=1).delete()
    state = fenced.peek(room, table.pk)
    assert state is not None
    while state.phase != "closed":
        if state.phase in ("hand", "granted"):
            recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
        state = playing.step_on(room, table.pk)
    sealing.end([table.pk], FateReason.CLOSED)
    recovery.close_tables(room, [table.pk])
    keep_all()
