"""Cards of hands in play: readable with the deck key alone, and never lost by a wrong one."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from msgspec.structs import replace
from prometheus_client import REGISTRY
from redis import Redis

from config import environment, limits
from config.environment import KeyFileMissing
from tables.dealer import state as states
from tables.dealer.grants import Timing
from tables.dealer.state import TableState
from tables.fairness.leaves import Fate, FateReason
from tables.models import DecidedHand, SealedDeck, Table
from tables.store import (
    deck_keys,
    fenced,
    hidden_states,
    inbox,
    keys,
    private_events,
    readable,
    wakes,
)
from tables.store.deck_keys import DeckKeys, NoDeckKey
from tables.store.hidden_states import CarriedBox
from tables.workers import advance, decided, recovery, settle
from tests.redis_answers import entries_of
from tests.tables import playing, stages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A deck key of its own for the test, held by this process."""
    path = tmp_path / "deck_key"
    monkeypatch.setenv("DECK_KEY_FILE", str(path))
    monkeypatch.setattr(limits, "KEY_FILES_READ_MS", 0)
    environment.kept_secret(path)
    deck_keys.held.load_files()
    yield path
    monkeypatch.undo()
    deck_keys.held.load_files()


@pytest.fixture
def table(room: Redis, key_file: Path) -> int:
    """A table with a hand in play."""
    found = playing.sit_down([1_000, 1_000, 1_000]).pk
    recovery.open_tables(room, [found])
    assert playing.run(room, found).phase == "hand"
    return found


def _raw(room: Redis, table: int) -> bytes:
    raw = room.hget(keys.state(keys.table(table), 1), "state")
    assert isinstance(raw, bytes)
    return raw


def _state(room: Redis, table: int) -> TableState:
    state = fenced.peek(room, table)
    assert state is not None
    return state


def hidden_cards_in(raw: bytes, state: TableState) -> list[str]:
    """Secrets and hole cards of a state that lie readable in its stored bytes."""
    hand, called = state.hand, state.called
    assert hand is not None and called is not None
    found = ["deck"] * (hand.deck.encode() in raw)
    found += ["secret"] * (called.sealed.secret in raw)
    for seat in hand.seats:
        if b"".join(b"\xa2" + card.encode() for card in seat.cards) in raw:
            found.append(f"cards of seat {seat.seat}")
    return found


def test_no_card_of_a_hand_in_play_is_readable_in_redis(room: Redis, table: int) -> None:
    state = _state(room, table)
    assert hidden_cards_in(_raw(room, table), state) == []
    # The search finds what a state without a hidden part tells.
    assert len(hidden_cards_in(states.encode(state), state)) == 5


def test_no_hole_card_is_readable_in_the_private_events_of_a_seat(
    room: Redis, table: int, settings: Any
) -> None:
    state = _state(room, table)
    assert state.hand is not None
    for seat in state.hand.seats:
        name = keys.cards(keys.table(table), state.at(seat.seat).entry, 1)
        [(line_id, fields)] = entries_of(room, name)
        kept, written = fields[b"e"], [(line_id.decode(), fields[b"e"])]
        # With their quotes: the bytes of a box are two letters of a card now and then.
        assert not any(f'"{card}"'.encode() in kept for card in seat.cards)
        assert b"{" not in kept[:1]
        [(_, raw)] = private_events.open_all(name, written)
        assert msgspec.json.decode(raw)["cards"] == list(seat.cards)
        assert private_events.open_all(f"{name}0", written) == [], "a box of another seat"
        assert private_events.open_all(name, [("1-9", raw)]) == [("1-9", raw)], "an older release"
    # A new SECRET_KEY with the old one as its fallback opens them, another one does not.
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a new one"
    assert private_events.open_all(name, written) == [(line_id.decode(), raw)]
    settings.SECRET_KEY_FALLBACKS = []
    assert private_events.open_all(name, written) == []


def test_no_card_is_readable_in_the_row_of_a_decided_hand(room: Redis, table: int) -> None:
    state = _state(room, table)
    shown = replace(state, phase="run_out", turn=None)
    assert decided.keep(shown)
    raw = bytes(DecidedHand.objects.get().state)
    assert hidden_cards_in(raw, state) == []
    assert readable.kept_state(raw) == shown


def _unchanged(room: Redis, table: int, raw: bytes) -> bool:
    row = Table.objects.get(pk=table)
    return _raw(room, table) == raw and (row.epoch, row.hand) == (1, 0)


def test_a_process_without_the_key_changes_nothing(room: Redis, table: int) -> None:
    before, raw = _state(room, table), _raw(room, table)
    playing.send(room, before, random.Random(1), 1)
    deck_keys.held.drop()
    assert advance.advance_all(room, [table]) == {}
    for step in (settle.settle, fenced.peek, fenced.load):
        with pytest.raises(NoDeckKey):
            step(room, table)
    with pytest.raises(NoDeckKey):
        hidden_states.encode(before)
    assert _unchanged(room, table, raw)
    seen = fenced.peek_open(room, table)
    assert seen is not None and seen.hand is not None
    assert {card for seat in seen.hand.seats for card in seat.cards} == {"??"}


def test_a_wrong_key_never_voids_a_hand(room: Redis, table: int, key_file: Path) -> None:
    raw, right = _raw(room, table), key_file.read_text()
    playing.send(room, _state(room, table), random.Random(1), 1)
    key_file.write_text("another room's deck key, long enough to be one")
    deck_keys.held.load_files()
    counted = REGISTRY.get_sample_value("room_faults_total", {"kind": "deck_key_missing"}) or 0
    assert advance.advance_all(room, [table]) == {}
    with pytest.raises(NoDeckKey):
        settle.settle(room, table)
    assert _unchanged(room, table, raw)
    told = REGISTRY.get_sample_value("room_faults_total", {"kind": "deck_key_missing"}) or 0
    assert told > counted
    key_file.unlink()
    assert advance.advance_all(room, [table]) == {} and _unchanged(room, table, raw)
    # The right file, put back while the worker runs, is enough: the hand goes on.
    key_file.write_text(right)
    advance.advance_all(room, [table])
    assert _raw(room, table) != raw and _state(room, table).epoch == 1


def test_after_a_new_key_old_states_are_read_and_new_ones_use_it(
    room: Redis, table: int, key_file: Path
) -> None:
    old_name, _ = deck_keys.held.newest()
    os.replace(key_file, environment.before(key_file))
    environment.kept_secret(key_file)
    other = DeckKeys()
    other.load_files()
    new_name, _ = other.newest()
    assert new_name != old_name
    assert old_name in _raw(room, table)
    deck_keys.held.load_files()
    playing.send(room, _state(room, table), random.Random(1), 1)
    advance.advance_all(room, [table])
    assert new_name in _raw(room, table) and old_name not in _raw(room, table)
    # A worker that started before the change reads the new key from its file by itself.
    key_file.rename(key_file.with_name("kept"))
    environment.before(key_file).rename(key_file)
    deck_keys.held.load_files()
    assert deck_keys.held.newest()[0] == old_name
    key_file.rename(environment.before(key_file))
    key_file.with_name("kept").rename(key_file)
    assert _state(room, table).phase == "hand"
    assert deck_keys.held.newest()[0] == new_name


def test_a_state_moved_to_another_hand_or_changed_is_unreadable(room: Redis, table: int) -> None:
    raw = _raw(room, table)
    name = keys.state(keys.table(table), 1)
    for at in range(1, len(raw), 37):
        room.hset(name, "state", raw[:at] + bytes((raw[at] ^ 1,)) + raw[at + 1 :])
        assert fenced.peek(room, table) is None, "damage is no missing key"


@pytest.mark.parametrize("outside", ["an older release", "a box left out"])
def test_cards_outside_a_box_are_refused_and_the_hand_is_void(
    room: Redis, table: int, outside: str
) -> None:
    state = _state(room, table)
    assert state.hand is not None
    forged = states.encode(replace(state, hand=replace(state.hand, deck=state.hand.deck[::-1])))
    if outside == "a box left out":
        forged = hidden_states.encode(state, CarriedBox(b"", b"", b""))
    room.hset(keys.state(keys.table(table), 1), "state", forged)
    assert fenced.peek(room, table) is None and fenced.peek_open(room, table) is None
    settle.settle(room, table)
    rebuilt = _state(room, table)
    assert (rebuilt.epoch, rebuilt.voided) == (2, 1)
    assert [seat.chips for seat in rebuilt.seats] == [1_000] * 3
    assert SealedDeck.objects.get(epoch=1).fate == Fate.VOID_IN_PLAY


def test_a_decided_hand_outside_a_box_is_refused_and_void(room: Redis, table: int) -> None:
    state = replace(_state(room, table), phase="run_out", turn=None)
    assert decided.keep(state)
    DecidedHand.objects.update(state=states.encode(state))
    assert readable.kept_state(bytes(DecidedHand.objects.get().state)) is None
    assert recovery.rebuild(room, table, seen_epoch=1)
    rebuilt = _state(room, table)
    assert (rebuilt.phase, rebuilt.epoch, rebuilt.voided) == ("boundary", 2, 1)


def test_a_worker_with_keys_of_another_room_is_told_so(room: Redis, key_file: Path) -> None:
    deck_keys.held.check(room)
    deck_keys.held.check(room)
    key_file.write_text("another room's deck key, long enough to be one")
    other = DeckKeys()
    other.load_files()
    with pytest.raises(NoDeckKey, match="put the right file at DECK_KEY_FILE"):
        other.check(room)


def test_a_missing_or_short_file_is_one_clear_sentence(key_file: Path) -> None:
    held = DeckKeys()
    environment.before(key_file).write_bytes(b"\xff" * 48)
    with pytest.raises(KeyFileMissing, match=r"former deck key .* cannot be read"):
        held.load_files()
    environment.before(key_file).unlink()
    key_file.write_text("short")
    with pytest.raises(KeyFileMissing, match="cut short"):
        held.load_files()
    key_file.unlink()
    with pytest.raises(KeyFileMissing, match="restore the file"):
        held.load_files()
    assert not held.are_held and not key_file.exists(), "a new key opens nothing"


def test_a_table_that_closes_keeps_no_card(room: Redis, table: int) -> None:
    before = _state(room, table)
    Table.objects.filter(pk=table).update(status="closed", epoch=2)
    deck_keys.held.drop()
    recovery.close_tables(room, [table])
    assert hidden_cards_in(_raw(room, table), before) == []
    closed = fenced.peek(room, table)
    assert closed is not None and closed.phase == "closed"


def test_a_lost_key_voids_hands_only_when_the_operator_says_so(
    room: Redis, table: int, key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck_keys.held.check(room)
    raw = _raw(room, table)
    call_command("fair_keys", "deck", "--lost")
    assert "0 tables" in capsys.readouterr().out
    key_file.write_text("a new key, because the old one is lost for ever")
    call_command("fair_keys", "deck", "--lost")
    assert f"table {table}: " in capsys.readouterr().out
    assert _unchanged(room, table, raw)
    with pytest.raises(CommandError, match="--yes confirms --lost"):
        call_command("fair_keys", "deck", "--yes")
    call_command("fair_keys", "deck", "--lost", "--yes")
    assert "1 of 1 hands are void" in capsys.readouterr().out
    deck_keys.held.check(room)
    rebuilt = playing.run(room, table)
    assert rebuilt.phase == "hand" and rebuilt.epoch == 2
    assert [seat.chips for seat in rebuilt.seats] == [1_000] * 3
    assert SealedDeck.objects.get(epoch=1).reason == FateReason.KEY_LOST


@pytest.fixture
def run_out(room: Redis, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> TableState:
    """A table whose two players are all-in; the decided hand is stored, under a key now lost."""
    pace = Timing(action_ms=60_000, hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=60_000)
    monkeypatch.setattr(playing, "TIMING", pace)
    number = playing.sit_down([1_000, 1_000]).pk
    assert recovery.adopt(room, 0)
    state = playing.run(room, number)
    for kind, amount in (("raise", 1_000), ("call", None)):
        assert state.turn is not None
        user = state.at(state.turn.seat).user
        raw = msgspec.json.encode(stages.act(state, kind, amount))
        assert inbox.append(room, number, user, raw).status == "accepted"
        advance.advance(room, number, random.Random(3))
        state = _state(room, number)
    settle.settle(room, number)
    assert state.phase == "run_out" and DecidedHand.objects.get().number == state.hand_number
    key_file.rename(key_file.with_name("lost"))
    key_file.write_text("a new key, made while the cards of that hand were shown")
    deck_keys.held.load_files()
    return state


def test_a_decided_hand_under_a_lost_key_holds_up_no_other_table(
    room: Redis, run_out: TableState
) -> None:
    other = playing.sit_down([500, 500]).pk
    room.flushall()
    assert recovery.adopt(room, 0)
    assert playing.run(room, other).phase == "hand"
    # Its table stands still, and is tried again with every ring.
    settle.settle(room, run_out.table)
    assert fenced.peek_open(room, run_out.table) is None
    assert wakes.due(room, keys.table(run_out.table)) is not None
    epoch = Table.objects.get(pk=run_out.table).epoch
    assert DecidedHand.objects.get().epoch == epoch == run_out.epoch


def test_a_decided_hand_goes_on_when_its_key_is_back(
    room: Redis, run_out: TableState, key_file: Path
) -> None:
    room.flushall()
    assert recovery.adopt(room, 0)
    key_file.with_name("lost").rename(environment.before(key_file))
    settle.settle(room, run_out.table)
    again = _state(room, run_out.table)
    assert (again.phase, again.epoch, again.setup) == (
        "run_out",
        run_out.epoch + 1,
        run_out.setup,
    )


def test_a_decided_hand_under_a_lost_key_is_given_up_by_the_operator(
    room: Redis, run_out: TableState, capsys: pytest.CaptureFixture[str]
) -> None:
    room.flushall()
    assert recovery.adopt(room, 0)
    call_command("fair_keys", "deck", "--lost", "--yes")
    assert "1 of 1 hands are void" in capsys.readouterr().out
    again = playing.run(room, run_out.table)
    assert (again.phase, again.epoch, again.hand_number) == ("hand", run_out.epoch + 1, 1)
    assert [seat.chips for seat in again.seats] == [1_000] * 2


def test_a_settled_decided_hand_under_a_former_key_locks_no_table(
    room: Redis, table: int, capsys: pytest.CaptureFixture[str], key_file: Path
) -> None:
    shown = replace(_state(room, table), phase="run_out", turn=None)
    assert decided.keep(shown)
    # The next hand is in play, under the key that has been used since.
    Table.objects.filter(pk=table).update(hand=1, granted_hand=2)
    key_file.write_text("the key that has been used since, long enough to be one")
    deck_keys.held.load_files()
    room.hset(keys.state(keys.table(table), 1), "state", hidden_states.encode(shown))
    call_command("fair_keys", "deck", "--lost")
    assert "0 tables" in capsys.readouterr().out


def test_a_second_new_key_takes_no_key_away_that_hands_in_play_need(key_file: Path) -> None:
    call_command("fair_keys", "deck", "--new")
    former = environment.before(key_file)
    files = key_file.read_text(), former.read_text()
    with pytest.raises(CommandError, match="delete that file"):
        call_command("fair_keys", "deck", "--new")
    assert (key_file.read_text(), former.read_text()) == files
    former.unlink()
    call_command("fair_keys", "deck", "--new")
    assert former.read_text() == files[0]


def test_a_new_key_is_made_by_the_command(
    key_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = key_file.read_text()
    call_command("fair_keys", "deck", "--new")
    names = capsys.readouterr().out.split()
    assert len(names) == 2 and environment.before(key_file).read_text() == old
    assert key_file.stat().st_mode & 0o777 == 0o600
    key_file.unlink()
    with pytest.raises(CommandError, match="no deck key"):
        call_command("fair_keys", "deck", "--new")
    monkeypatch.setenv("DECK_KEY", "w" * 48)
    with pytest.raises(CommandError, match="DECK_KEY is set"):
        call_command("fair_keys", "deck", "--new")
