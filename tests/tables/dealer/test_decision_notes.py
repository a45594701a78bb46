"""Notes of decisions: their times, the ones of the room, and records that are older than notes."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from tables.dealer import record, state
from tables.dealer.commands import Received
from tables.dealer.state import DecisionNote, TableState
from tables.engine.events import Folded
from tables.history import replays
from tables.history.decisions import decisions
from tables.history.exports import hand, phh, pokerstars
from tables.history.exports.games import GameFacts
from tables.wire.client_commands import ComeBack, SitOut
from tests.tables import stages
from tests.tables.stages import START_MS, TIMING

DEADLINE_MS = START_MS + TIMING.action_ms


def _three() -> TableState:
    return stages.dealt(stages.roster(1_000, 1_000, 1_000))


def _timed_out() -> TableState:
    """Return a finished hand: a player folds after 700 ms, the clock folds the next one."""
    fold = _three()
    fold, _ = stages.at(
        fold,
        START_MS + 700,
        stages.by_actor(fold, stages.act(fold, "fold"), START_MS + 700),
    )
    assert fold.turn is not None
    ended, _ = stages.at(fold, fold.turn.deadline_ms)
    assert ended.phase == "finished"
    return ended


def test_a_decision_keeps_its_time_and_the_clock_is_named() -> None:
    ended = _timed_out()
    began = ended.began_ms
    struck = START_MS + 700 + TIMING.action_ms - began
    assert ended.notes == (
        DecisionNote(START_MS + 700 - began),
        DecisionNote(struck, "time_out"),
    )
    assert record.of(ended).notes == ended.notes


def test_a_lost_connection_is_named_as_the_reason() -> None:
    dealt = _three()
    assert dealt.turn is not None
    lost = replace(dealt, turn=replace(dealt.turn, disconnected=True))
    after, _ = stages.at(lost, DEADLINE_MS)
    assert [note.made_by for note in after.notes] == ["disconnected"]


def test_sitting_out_in_turn_is_an_absence() -> None:
    dealt = _three()
    assert dealt.turn is not None
    user = dealt.at(dealt.turn.seat).user
    after, _ = stages.at(dealt, START_MS, Received(user, START_MS, SitOut("o", 7)))
    assert [note.made_by for note in after.notes] == ["absent"]


def test_an_absent_seat_is_folded_by_the_room() -> None:
    dealt = _three()
    away = replace(dealt, seats=tuple(replace(seat, absent=True) for seat in dealt.seats))
    after, _ = stages.at(away, DEADLINE_MS)
    assert [note.made_by for note in after.notes] == ["time_out", "absent"]


def test_a_refused_action_leaves_no_note() -> None:
    dealt = _three()
    after, _ = stages.at(dealt, START_MS, stages.by_actor(dealt, stages.act(dealt, "check")))
    assert (after.actions, after.notes) == ((), ())


def test_notes_leave_the_digest_as_it_was() -> None:
    kept = record.of(_timed_out())
    assert kept.digest() == replace(kept, notes=()).digest()


def _start_of(ended: TableState) -> dict[int, bool]:
    """Seat -> whether a replay of the hand shows it away at the beginning."""
    start = replays.replay(record.of(ended), number=1, seats_max=9, user=None).start
    return {seat.seat: seat.absent for seat in start.seats}


def test_a_replay_begins_with_the_absences_of_the_beginning() -> None:
    dealt = _three()
    assert dealt.turn is not None
    first = dealt.at(dealt.turn.seat)
    called, _ = stages.at(dealt, START_MS, stages.by_actor(dealt, stages.act(dealt, "call")))
    called, _ = stages.at(called, START_MS, Received(first.user, START_MS, SitOut("o", 7)))
    left = _folded_to_the_end(called)
    assert left.at(first.seat).absent and not any(_start_of(left).values())

    away = stages.dealt(stages.roster(1_000, 1_000, 1_000, 1_000, absent=frozenset({first.seat})))
    while away.phase == "hand" and first.seat not in {one.seat for one in away.actions}:
        acts = stages.by_actor(away, stages.act(away, "call"))
        away, _ = stages.at(away, START_MS, acts)
    away, _ = stages.at(away, START_MS, Received(first.user, START_MS, ComeBack("k", 7)))
    back = _folded_to_the_end(away)
    assert not back.at(first.seat).absent
    assert _start_of(back) == {seat.seat: seat.seat == first.seat for seat in back.seats}


def _folded_to_the_end(played: TableState) -> TableState:
    while played.phase == "hand":
        acts = stages.by_actor(played, stages.act(played, "fold"))
        played, _ = stages.at(played, START_MS, acts)
    return played


def test_exports_name_times_and_decisions_of_the_room() -> None:
    kept = record.of(_timed_out())
    exported = hand.with_all_cards(kept, game=GameFacts("Cup"), table=1, seats_max=3)
    fields = phh.fields(exported)
    assert fields["_times"] == [note.at_ms for note in kept.notes]
    player = exported.order.index(kept.actions[1].seat) + 1
    assert fields["_by_room"] == [f"2 p{player} time_out"]


def test_decisions_stand_beside_their_events() -> None:
    kept = record.of(_timed_out())
    first, second = decisions(kept)
    events = record.replay(kept.setup, kept.actions)
    assert [events[found.event] for found in (first, second)] == [
        Folded(seat=played.seat) for played in kept.actions
    ]
    assert (first.at_ms, first.used_ms) == (kept.notes[0].at_ms, kept.notes[0].at_ms)
    assert second.used_ms == kept.notes[1].at_ms - kept.notes[0].at_ms
    assert (first.made_by, second.made_by) == ("player", "time_out")


def test_text_names_the_decisions_of_the_room() -> None:
    kept = record.of(_timed_out())
    words = {
        "time_out": "has timed out",
        "disconnected": "has timed out while disconnected",
        "absent": "is sitting out",
    }
    name = next(seat.name for seat in kept.seats if seat.seat == kept.actions[1].seat)
    for made_by, told in words.items():
        notes = (kept.notes[0], replace(kept.notes[1], made_by=made_by))
        exported = hand.seen_by(
            None, replace(kept, notes=notes), game=GameFacts("Cup"), table=1, seats_max=3
        )
        text = pokerstars.written(exported)
        assert f"\n{name} {told}\n{name}: folds\n" in text
        assert text.count(told) == 1
    assert "timed out" not in pokerstars.written(
        hand.seen_by(None, replace(kept, notes=()), game=GameFacts("Cup"), table=1, seats_max=3)
    )


def test_a_record_without_notes_is_read_and_exported() -> None:
    raw = msgspec.msgpack.decode(record.encode(record.of(_timed_out())))
    del raw["notes"]
    old = record.decode(msgspec.msgpack.encode(raw))
    assert old.notes == () and decisions(old) == ()
    fields = phh.fields(hand.with_all_cards(old, game=GameFacts("Cup"), table=1, seats_max=3))
    assert fields["_times"] is None and fields["_by_room"] is None


def test_a_hand_begun_before_notes_goes_on_without_them() -> None:
    dealt = _three()
    dealt, _ = stages.at(dealt, START_MS, stages.by_actor(dealt, stages.act(dealt, "fold")))
    raw = msgspec.msgpack.decode(state.encode(dealt)[1:])
    since = state.TableState.__struct_fields__.index("notes")
    old = state.decode(msgspec.msgpack.encode(raw[:since]))
    assert old.notes == () and len(old.actions) == 1
    ended, _ = stages.at(old, START_MS + 2 * TIMING.action_ms)
    assert ended.phase == "finished" and ended.notes == ()
