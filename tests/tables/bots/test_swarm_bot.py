"""Bots at a table in memory: they play from messages alone and report every fault they see."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import replace

from room_client.messages.commands import Act, ComeBack, Subscribe, Unsubscribe, WriteChat
from room_client.messages.hands import (
    CardsShown,
    HandBegan,
    HandEnded,
    HoleCardsDealt,
    Stack,
    Stakes,
)
from room_client.messages.streams import ClientMessage
from room_client.messages.tables import SatOut, SeatLeft
from room_client.steps import DueTurn
from tables.bots.bot import Bot, Todo
from tables.bots.habits import Habits
from tables.bots.tally import Tally
from tables.bots.watch import TableWatch
from tables.dealer import boundary
from tables.dealer.commands import Received
from tables.dealer.grants import Close
from tables.dealer.state import TableState
from tables.engine.events import HandEvent
from tables.engine.visibility import view
from tables.wire.table_events import TableEvent
from tests.tables import client_side, stages
from tests.tables.whole_state import snapshot

STREAM = "table:7"
_json = msgspec.json.encode


class Stage:
    """A table with bots at every seat, connected by wire messages only."""

    def __init__(self, chips: list[int], seed: int, chats: int = 0) -> None:
        self.tally = Tally()
        self.said: list[ClientMessage] = []
        chat = [Subscribe("tablechat:7")] if chats else []
        self.state = stages.empty(len(chips))
        self.seats = stages.roster(*chips)
        self.seed = seed
        self.now_ms = stages.START_MS
        self.bots = {
            seat.user: Bot(
                seat.user,
                chance=random.Random(seed + seat.user),
                pace="fast",
                tally=self.tally,
                habits=Habits(chats=chats),
            )
            for seat in self.seats
        }
        for user, bot in self.bots.items():
            assert self.tell(bot, "welcome", protocol=1, now_ms=self.now_ms, user=user).send == [
                Subscribe(f"user:{user}")
            ]
            seated = {"id": "0-1", "type": "seated", "tournament": 3, "table": 7}
            told = self.tell(bot, "events", stream=f"user:{user}", events=[seated])
            assert told.send == [Subscribe(STREAM), *chat]
            self.tell(bot, "snapshot", stream=STREAM, id="1-0", state=snapshot(self.state, user))

    def tell(self, bot: Bot, kind: str, **fields: object) -> Todo:
        """Give a bot one message as the server writes it."""
        return bot.received(_json({"type": kind, **fields}), self.now_ms / 1_000)

    def step(self) -> list[Act]:
        """Advance the table once; return the bots' answers."""
        self.now_ms += 50
        state, events = self._go_on()
        first, self.state = (
            self.state.seq + 1,
            msgspec.structs.replace(state, seq=self.state.seq + len(events)),
        )
        answers: list[Act] = []
        for user, bot in self.bots.items():
            lines = [
                {"id": f"1-{number}", **msgspec.to_builtins(_seen(event, state, user))}
                for number, event in enumerate(events, start=first)
            ]
            todo = self.tell(bot, "events", stream=STREAM, events=lines)
            self.said += todo.send
            answers += [act for due in todo.turns if (act := bot.answer(due, self.now_ms / 1_000))]
        return answers

    def send(self, act: Act) -> None:
        """Apply a bot's action to the table."""
        assert self.state.turn is not None
        self._received = stages.by_actor(self.state, client_side.command(act), self.now_ms)

    _received: Received | None = None

    def _go_on(self) -> tuple[TableState, tuple[TableEvent, ...]]:
        state = self.state
        if state.phase == "finished":
            return boundary.confirm(state), ()
        if state.phase == "boundary":
            chips = {seat.entry: seat.chips for seat in state.seats}
            self.seats = [
                msgspec.structs.replace(seat, chips=chips.get(seat.entry, seat.chips))
                for seat in self.seats
                if chips.get(seat.entry, 1)
            ]
            if len(self.seats) < 2:
                return boundary.answer(state, Close(), now_ms=self.now_ms)
            return boundary.answer(state, stages.grant(state, self.seats), now_ms=self.now_ms)
        received = [self._received] if self._received else []
        self._received = None
        return stages.at(state, self.now_ms, *received, seed=self.seed + state.hand_number)


def _seen(event: TableEvent, state: TableState, user: int) -> TableEvent:
    seat = state.seat_of(user)
    return view(event, seat.seat if seat else None) if isinstance(event, HandEvent) else event


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bots_play_a_table_to_its_end_without_findings(seed: int) -> None:
    stage = Stage([1_500, 800, 2_500, 400, 1_000], seed)
    decisions = 0
    for _ in range(20_000):
        answers = stage.step()
        if stage.state.phase == "closed":
            break
        assert len(answers) <= 1, "one seat is asked at a time"
        for act in answers:
            decisions += 1
            stage.send(act)
    assert stage.state.phase == "closed"
    report = stage.tally.report()
    assert report["violations"] == []
    assert report["decisions"] == decisions > 20
    assert report["hands_seen"] == stage.state.hand_number
    assert report["action_to_stream_ms"]["count"] == decisions
    assert all(not bot.tables for bot in stage.bots.values()), "a closed table is left"


def test_bots_that_chat_write_after_their_hands_and_leave_the_chat_with_the_table() -> None:
    stage = Stage([600, 600, 600], 1, chats=100)
    for _ in range(20_000):
        for act in stage.step():
            stage.send(act)
        if stage.state.phase == "closed":
            break
    written = [one for one in stage.said if isinstance(one, WriteChat)]
    assert {one.stream for one in written} == {"tablechat:7"}
    assert len(written) == stage.tally.counts["chats"] >= 2 * stage.state.hand_number > 0
    assert stage.said.count(Unsubscribe("tablechat:7")) == 3
    bot = stage.bots[201]
    again = stage.tell(bot, "welcome", protocol=1, now_ms=stage.now_ms, user=201)
    assert again.send == [Subscribe("user:201", after="0-1")]


def test_a_bot_that_chats_follows_the_chat_again_after_a_reconnect() -> None:
    stage = Stage([1_000, 1_000], 1, chats=100)
    stage.step()
    stage.step()
    bot = stage.bots[201]
    again = stage.tell(bot, "welcome", protocol=1, now_ms=stage.now_ms, user=201)
    assert Subscribe("tablechat:7") in again.send


def test_a_bot_resumes_from_its_last_event() -> None:
    stage = Stage([1_000, 1_000], 1)
    stage.step()
    stage.step()
    bot = stage.bots[201]
    again = stage.tell(bot, "welcome", protocol=1, now_ms=stage.now_ms, user=201)
    assert again.send == [
        Subscribe("user:201", after="0-1"),
        Subscribe(STREAM, after=f"1-{stage.state.seq}"),
    ]


@pytest.mark.parametrize("fault", ["cut", "unavailable", "no_answer"])
def test_an_unacknowledged_action_is_sent_again_during_the_same_turn(
    fault: str,
) -> None:
    stage = Stage([1_000, 1_000], 1)
    (lost,) = [act for _ in range(2) for act in stage.step()]
    user = stage.state.at(stage.state.turn.seat).user  # type: ignore[union-attr]
    bot, now_s = stage.bots[user], stage.now_ms / 1_000
    if fault == "cut":
        stage.tell(bot, "welcome", protocol=1, now_ms=stage.now_ms, user=user)
        todo = stage.tell(bot, "events", stream=STREAM, events=[])
    else:
        todo = stage.tell(bot, "refused", id=lost.id, code=fault, message="")
    (due,) = todo.turns
    again = bot.answer(due, now_s + 4.0)
    assert again is not None
    assert (again.hand, again.turn) == (lost.hand, lost.turn)
    assert stage.tell(bot, "events", stream=STREAM, events=[]).turns == []
    stage.now_ms += 4_950
    stage.send(again)
    stage.step()
    assert stage.tally.latency.summary() == {"count": 1, "p50": 5_000, "p99": 5_000, "max": 5_000}


def test_an_absent_bot_comes_back() -> None:
    stage = Stage([1_000, 1_000, 1_000], 1)
    stage.step()
    line = {"id": f"1-{stage.state.seq + 1}", **msgspec.to_builtins(SatOut(seat=1))}
    todo = stage.tell(stage.bots[201], "events", stream=STREAM, events=[line])
    assert [type(message) for message in todo.send] == [ComeBack]
    others = stage.tell(stage.bots[202], "events", stream=STREAM, events=[line])
    assert others.send == []


def test_a_moved_bot_follows_its_new_table() -> None:
    stage = Stage([1_000, 1_000, 1_000], 1)
    stage.step()
    left = SeatLeft(seat=1, entry=101, reason="moved", to_table=9)
    line = {"id": f"1-{stage.state.seq + 1}", **msgspec.to_builtins(left)}
    todo = stage.tell(stage.bots[201], "events", stream=STREAM, events=[line])
    assert todo.send == [Unsubscribe(STREAM), Subscribe("table:9")]


def test_a_past_turn_is_not_answered() -> None:
    stage = Stage([1_000, 1_000, 1_000], 1)
    acts = [act for _ in range(2) for act in stage.step()]
    assert len(acts) == 1
    user = stage.state.at(stage.state.turn.seat).user  # type: ignore[union-attr]
    stage.send(acts[0])
    stage.step()
    late = DueTurn(after_s=0.0, table=7, epoch=1, hand=1, turn=acts[0].turn)
    assert stage.bots[user].answer(late, 0.0) is None


def test_a_gap_a_leak_and_a_lost_chip_are_reported() -> None:
    watch = TableWatch(STREAM, user=201)
    stage = Stage([1_000, 1_000], 1)
    watch.snapshot("1-1", client_side.snapshot(stage.state, 201))
    stakes = msgspec.convert(stages.STAKES, Stakes, from_attributes=True)
    began = HandBegan(
        hand=1,
        variant="holdem",
        limit="no_limit",
        stakes=stakes,
        button=1,
        small_blind=1,
        big_blind=2,
        stacks=(Stack(1, 1_000), Stack(2, 1_000)),
    )
    watch.event("1-2", began, 1)
    watch.event("1-3", HoleCardsDealt(1, ("As", "Kd")), 1)
    watch.event("1-4", HoleCardsDealt(2, ("??", "??")), 1)
    assert watch.violations == []
    watch.event("1-6", HoleCardsDealt(2, ("2c", "2d")), 1)
    watch.event("1-7", HandEnded(1, (Stack(1, 1_000), Stack(2, 999))), 1)
    said = "\n".join(watch.violations)
    assert "gap after 1-4" in said
    assert "cards of seat 2 dealt face up" in said
    assert "began with 2000 chips, ended with 1999" in said


def test_own_cards_are_missing_only_for_the_entry_that_sits_there_now() -> None:
    watch = TableWatch(STREAM, user=201)
    watch.resume("1-1")
    for number, entry in ((2, 30), (3, 31)):
        watch.event(f"1-{number}", HoleCardsDealt(1, ("??", "??")), 1, entry)
    watch.caught_up(31)
    assert watch.violations == [f"{STREAM} 1-3 as user 201: own cards dealt face down"]
    watch.event("1-4", HoleCardsDealt(1, ("??", "??")), 1, 31)
    watch.caught_up(None)
    assert len(watch.violations) == 1


def test_folded_cards_in_a_snapshot_between_hands_are_reported() -> None:
    state = stages.dealt(stages.roster(1_000, 1_000))
    folding = stages.by_actor(state, stages.act(state, "fold"))
    state, _ = stages.at(state, stages.START_MS, folding)
    seen = client_side.snapshot(boundary.confirm(state), None)
    watch = TableWatch(STREAM, user=0)
    watch.snapshot("1-9", seen)
    assert seen.turn is None and watch.violations == []
    assert state.hand is not None
    [folded] = [seat for seat in state.hand.seats if seat.folded]
    seats = [
        replace(seat, cards=folded.cards) if seat.seat == folded.seat else seat
        for seat in seen.seats
    ]
    watch.snapshot("1-9", replace(seen, seats=tuple(seats)))
    [found] = watch.violations
    assert found.endswith(f"snapshot shows cards of seat {folded.seat}")


def test_a_new_epoch_without_a_snapshot_is_a_gap() -> None:
    watch = TableWatch(STREAM, user=201)
    stage = Stage([1_000, 1_000], 1)
    watch.snapshot("1-9", client_side.snapshot(stage.state, 201))
    watch.event("2-1", CardsShown(seat=1, cards=("As", "Kd"), made=""), None)
    assert "gap after 1-9" in watch.violations[0]
