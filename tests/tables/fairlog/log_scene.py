"""A table whose seals and fates are logged, and what its log holds."""

from __future__ import annotations

from django.conf import settings
from redis import Redis

from tables.fairlog import log_keys, storage
from tables.fairlog.keeper import Keeper
from tables.fairness.notes import LogHead, open_head
from tables.fairness.signing import public_key_of
from tables.models import Hand, Table
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
