"""Whole database and settled hands: no folded card is readable without a key."""

from __future__ import annotations

import pytest
from django.db import connection
from msgspec.structs import replace
from redis import Redis

from tables.dealer import record
from tables.models import Hand
from tables.records import parts, stored
from tables.workers import recovery
from tests.tables import playing
from tests.tables.fairlog.log_scene import keep_all
from tests.tables.records.folding import holds, play_folded

pytestmark = pytest.mark.django_db(transaction=True)


def _dump() -> bytes:
    """Bytes of all rows of all tables, as PostgreSQL stores their values."""
    pieces: list[bytes] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            with cursor.copy(f"COPY (SELECT * FROM {name}) TO STDOUT (FORMAT binary)") as rows:
                pieces += [bytes(row) for row in rows]
    return b"".join(pieces)


def test_no_folded_card_is_in_a_dump_of_the_database(room: Redis) -> None:
    table, kept = play_folded(room)
    keep_all()
    hands = parts.hole_cards(kept)
    dump = _dump()
    assert kept.called is not None and kept.called.sealed.secret not in dump
    assert b"".join(b"\xa2" + card.encode() for card in kept.setup.deck[:20]) not in dump
    assert len(hands) == 3 and not any(holds(dump, cards) for cards in hands.values())
    # The search finds what a release before stored.
    Hand.objects.filter(table=table, number=2).update(record=record.encode(kept))
    assert kept.called.sealed.secret in _dump()


def test_the_ending_that_a_worker_keeps_is_the_one_that_the_hand_replays(room: Redis) -> None:
    table = playing.sit_down([2_000] * 3)
    recovery.open_tables(room, [table.pk])
    while Hand.objects.count() < 4:
        playing.step_on(room, table.pk)
    for raw in Hand.objects.values_list("record", flat=True):
        kept = stored.decode(bytes(raw))
        assert kept.ending, "told as it happened"
        assert parts.split(replace(kept, ending=())).open == parts.split(kept).open
