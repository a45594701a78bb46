"""Granted hands of tables that close: void before their cards, with their decks opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from msgspec.structs import replace
from redis import ConnectionError, Redis

from tables.dealer import boundary, record
from tables.dealer.state import TableState
from tables.fairaudit.logs import judge_decks
from tables.fairlog import proofs
from tables.fairlog.models import OpenedDeck
from tables.fairness.encoding import hand_id
from tables.fairness.leaves import Fate, FateReason
from tables.fairness.sealing import seal_deck
from tables.models import SealedDeck, Table
from tables.monitor import seals
from tables.store import deck_keys, fenced, hidden_states, keys, wakes
from tables.store.deck_keys import NoDeckKey
from tables.workers import advance, recovery, sealing, settle, withdrawing
from tests.redis_answers import events_of
from tests.tables import playing
from tests.tables.called_hand import grant, own_key, state_of
from tests.tables.fairlog.log_scene import keep_all
from tests.tables.fairness.verifier import failures

__all__ = ["own_key"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(room: Redis) -> Table:
    """A table of three whose first hand is granted and called, and not dealt yet."""
    sealing.publish_call_key()
    made = playing.sit_down([900] * 3)
    recovery.open_tables(room, [made.pk])
    return grant(room, made)


def _close(table: Table) -> None:
    """Close the table as a director does, in one transaction."""
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table.pk)
        withdrawing.end_closing([row])
        row.status, row.epoch = Table.Status.CLOSED, row.epoch + 1
        row.save(update_fields=["status", "epoch"])


def _told(room: Redis, table: Table) -> list[dict[str, Any]]:
    return [json.loads(event) for event in events_of(room, keys.events(f"table:{table.pk}", 1))]


def test_a_called_hand_of_a_closing_table_is_void_before_its_cards_and_opened(
    room: Redis, table: Table
) -> None:
    called = state_of(room, table).called
    assert called is not None
    _close(table)
    deck = SealedDeck.objects.get()
    assert (deck.fate, deck.reason) == (Fate.VOID_BEFORE_CARDS, FateReason.CLOSED)
    assert [*seals.violations()] == []
    recovery.close_tables(room, [table.pk])
    recovery.close_tables(room, [table.pk])
    *_, opened, closed = _told(room, table)
    name = hand_id(sealing.room(), table=table.pk, epoch=1, hand=1)
    made = seal_deck(bytes.fromhex(opened["secret"]), name)
    assert closed["type"] == "table_closed"
    assert (opened["type"], opened["hand"], opened["epoch"], opened["fate"]) == (
        *("deck_opened", 1, 1, 3),
    )
    assert made.seal.hex() == opened["seal"] == called.sealed.seal.hex()
    assert "hole_cards_dealt" not in {event["type"] for event in _told(room, table)}
    assert state_of(room, table).opened[0].secret == opened["secret"]


def test_the_opened_deck_of_a_called_hand_has_its_call_in_its_proof(
    room: Redis, table: Table
) -> None:
    called = state_of(room, table).called
    assert called is not None
    _close(table)
    recovery.close_tables(room, [table.pk])
    keep_all()
    keys = [bytes.fromhex(proofs.public_keys()[name][0]) for name in ("log", "call")]
    deck = SealedDeck.objects.get()
    proof = Client().get(f"/fair/decks/{deck.pk}/proof.json").json()
    assert failures(proof, *keys) == set()
    assert (proof["fate"], proof["call"]) == (3, called.call.hex())
    assert [row["entry"] for row in proof["roster"]] == [entry for _, entry in called.seats]
    assert failures(proof | {"secret": "0f" * 32}, *keys) == {"V02"}


@pytest.mark.parametrize("ahead", ["sealed_ms", "called_ms"])
def test_a_deck_does_not_end_before_its_seal_and_call_by_another_clock(
    room: Redis, table: Table, ahead: str
) -> None:
    """The clock of Redis may be a little ahead of that of PostgreSQL."""
    loaded, later = fenced.load(room, table.pk), 5_000
    assert loaded is not None and loaded.state.called is not None
    called = loaded.state.called
    if ahead == "sealed_ms":
        later += called.sealed.sealed_ms
        SealedDeck.objects.update(sealed_ms=later)
    else:
        later += called.called_ms
        held = replace(loaded.state, called=replace(called, called_ms=later))
        assert fenced.commit(room, loaded, held, (), drained=0) is not None
    _close(table)
    deck = SealedDeck.objects.get()
    assert (deck.fate, deck.ended_ms) == (Fate.VOID_BEFORE_CARDS, later)


@pytest.fixture
def keyless() -> Iterator[None]:
    """This process is one without the deck key, as a web process is, until keys are loaded."""
    deck_keys.held.drop()
    yield
    deck_keys.held.load_files()


def test_a_worker_opens_the_called_deck_of_a_table_that_a_web_process_closed(
    room: Redis, table: Table, keyless: None
) -> None:
    _close(table)
    recovery.close_tables(room, [table.pk])
    deck = SealedDeck.objects.get()
    assert (deck.fate, deck.reason) == (Fate.VOID_BEFORE_CARDS, FateReason.CLOSED)
    assert [finding.detail for finding in judge_decks(settings.FAIR_ORIGIN)] == [
        "void before its cards, and not opened"
    ]
    assert _told(room, table)[-1]["type"] == "table_closed"
    _visit(room, table)
    assert [*judge_decks(settings.FAIR_ORIGIN)] == []
    assert _told(room, table)[-1]["seal"] == bytes(deck.seal).hex()
    assert state_of(room, table).opened[0].fate == Fate.VOID_BEFORE_CARDS
    assert OpenedDeck.objects.get().called is not None
    assert wakes.due(room, keys.table(table.pk)) is None
    settle.settle(room, table.pk)
    assert [event["type"] for event in _told(room, table)].count("deck_opened") == 1


def test_a_worker_opens_the_sealed_deck_of_a_table_that_a_web_process_closed(
    room: Redis, table: Table
) -> None:
    state = _at_boundary(room, table)
    assert state.next_seal is not None and state.called is not None
    deck_keys.held.drop()
    _close(table)
    recovery.close_tables(room, [table.pk])
    fates = {bytes(deck.seal): deck.fate for deck in SealedDeck.objects.all()}
    assert fates == {
        state.called.sealed.seal: Fate.PLAYED,
        state.next_seal.seal: Fate.UNPLAYED,
    }
    _visit(room, table)
    opened = OpenedDeck.objects.get()
    assert bytes(opened.deck.seal) == state.next_seal.seal, "a played deck stays closed"
    assert bytes(opened.secret) == state.next_seal.secret


def _at_boundary(room: Redis, table: Table) -> TableState:
    """Play a hand and settle it; the next one is sealed and not asked for."""
    while playing.step_on(room, table.pk).phase != "finished":
        pass
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    assert settle.settle_hand(record.of(loaded.state), loaded.state.next_seal)
    stored = fenced.commit(room, loaded, boundary.confirm(loaded.state), (), drained=0)
    assert stored is not None
    return stored


def _visit(room: Redis, table: Table) -> None:
    """Let a settle worker answer the wake of a closed table, which holds nobody up without keys."""
    assert wakes.due(room, keys.table(table.pk)) is not None
    with pytest.raises(NoDeckKey):
        settle.settle(room, table.pk)
    deck_keys.held.load_files()
    settle.settle(room, table.pk)


def test_a_box_of_another_table_opens_nothing_at_a_closed_one(
    room: Redis, table: Table, keyless: None
) -> None:
    other = playing.sit_down([900] * 3)
    deck_keys.held.load_files()
    recovery.open_tables(room, [other.pk])
    while state_of(room, other).phase != "granted":
        settle.settle(room, other.pk)
    deck_keys.held.drop()
    _close(table)
    recovery.close_tables(room, [table.pk])
    [own, foreign] = fenced.peek_best_all(room, [table.pk, other.pk])
    assert own is not None and foreign is not None and foreign.carried is not None
    forged = hidden_states.encode(own.state, foreign.carried)
    room.hset(keys.state(keys.table(table.pk), 1), "state", forged)
    deck_keys.held.load_files()
    assert fenced.peek(room, table.pk) is None
    settle.settle(room, table.pk)
    assert not OpenedDeck.objects.exists()


def test_a_worker_that_loaded_the_hand_before_can_not_deal_it(room: Redis, table: Table) -> None:
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    _close(table)
    assert fenced.commit(room, loaded, loaded.state, (), drained=0) is None
    advance.advance(room, table.pk)
    assert state_of(room, table).phase == "boundary"


def test_a_hand_that_is_dealt_meanwhile_is_void_in_play_and_stays_closed(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fenced.load_best

    def load_slowly(redis: Redis, number: int) -> fenced.Loaded | None:
        loaded = real(redis, number)
        with monkeypatch.context() as patch:
            patch.setattr(fenced, "load_best", real)
            advance.advance(room, table.pk)
        return loaded

    monkeypatch.setattr(fenced, "load_best", load_slowly)
    _close(table)
    monkeypatch.undo()
    recovery.close_tables(room, [table.pk])
    assert SealedDeck.objects.get().fate == Fate.VOID_IN_PLAY
    assert not OpenedDeck.objects.exists()
    assert [event["type"] for event in _told(room, table)][-2:] == ["hand_voided", "table_closed"]


def test_a_closing_that_fails_leaves_a_void_hand_and_no_secret(room: Redis, table: Table) -> None:
    seal = state_of(room, table).called.sealed.seal  # type: ignore[union-attr]
    with transaction.atomic():
        withdrawing.end_closing([Table.objects.select_for_update().get(pk=table.pk)])
        transaction.set_rollback(True)
    assert SealedDeck.objects.get().fate is None and not OpenedDeck.objects.exists()
    loaded = fenced.load(room, table.pk)
    assert loaded is not None
    due = replace(loaded.state, due_ms=loaded.now_ms)
    assert fenced.commit(room, loaded, due, (), drained=0) is not None
    playing.run(room, table.pk)
    decks = {bytes(deck.seal): deck.fate for deck in SealedDeck.objects.all()}
    assert decks.pop(seal) == Fate.VOID_IN_PLAY and [*decks.values()] == [None]


def test_a_table_that_redis_does_not_answer_for_closes_with_a_void_hand(
    room: Redis, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(fenced, "load_best", lost)
        _close(table)
    assert SealedDeck.objects.get().fate == Fate.VOID_IN_PLAY
    assert not OpenedDeck.objects.exists()


def test_a_called_deck_that_counts_as_never_played_stays_closed(room: Redis, table: Table) -> None:
    """A PostgreSQL that lost the grant knows no call, and its proof would fail (V03)."""
    called = state_of(room, table).called
    assert called is not None
    Table.objects.filter(pk=table.pk).update(granted_hand=0)
    sealing.end([table.pk], FateReason.CLOSED)
    assert SealedDeck.objects.get().fate == Fate.UNPLAYED
    assert sealing.open_deck(called.sealed, called) is None
    assert not OpenedDeck.objects.exists()


def test_a_called_hand_of_a_rebuilt_table_is_void_in_play_and_stays_closed(
    room: Redis, table: Table
) -> None:
    """A state that is called and not dealt may be older than what players saw."""
    assert state_of(room, table).phase == "granted"
    assert recovery.rebuild(room, table.pk, seen_epoch=1)
    assert SealedDeck.objects.get(epoch=1).fate == Fate.VOID_IN_PLAY
    assert not OpenedDeck.objects.exists()
    assert "deck_opened" not in {event["type"] for event in _told(room, table)}
