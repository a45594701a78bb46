"""Invariants of one table in Redis and on its streams, from each look to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from config import limits
from room_client import wire
from room_client.messages.tables import SatOut, TimedOut
from tables.bots.watch import TableWatch
from tables.dealer.state import BEING_PLAYED, TableState, wake
from tables.monitor import audit
from tables.wire.client_commands import Act
from tests.simulation.laws import told_law
from tests.simulation.laws.set_backs import back_ms
from tests.simulation.people.clients import Turn
from tests.tables.client_side import snapshot

_CARD = re.compile(rb'"[2-9TJQKA][cdhs]"')
_TYPE = re.compile(rb'"type":"(\w+)"')
PLAYED = {*BEING_PLAYED, "finished"}
DECIDED = {"run_out", "finished"}
DOUBTED_MAX_MS = 30_000
"""Maximum time in ms that a table may keep the state of an older Redis."""
_OPEN = {b"button_drawn", b"street_dealt", b"hands_revealed", b"cards_shown", b"hole_cards_dealt"}


@dataclass
class Look:
    """A table as read at one moment: its row in Redis, its wake and its new events."""

    epoch: int
    version: int
    state: TableState
    wake_ms: float | None
    lines: list[tuple[str, bytes]]
    private: dict[int, list[tuple[str, bytes]]]


@dataclass
class Moment:
    """Time of a look: the world's time, the time without outages, and the players' commands."""

    now_ms: int
    awake_ms: int
    outages: list[tuple[int, int]]
    in_time: dict[Turn, int]


@dataclass
class TableLaws:
    """Memory of one table over all looks; `doubted_ms` is the time Redis lost data.

    PostgreSQL lost every hand above `lost_above`; `settled` is the last one that Redis has as
    settled. A `damaged` table has a state that nobody can
    read, until it is rebuilt.
    """

    table: int
    before: Look | None = None
    doubted_ms: int | None = None
    damaged: bool = False
    last_id: str = "0-0"
    settled: int = 0
    took: dict[Turn, str] = field(default_factory=dict)
    lost_above: int | None = None
    _watches: dict[int, TableWatch] = field(default_factory=dict)
    _folded: set[int] = field(default_factory=set)

    @property
    def is_sound(self) -> bool:
        """Return whether the state of the table in Redis is known and trusted."""
        return self.before is not None and self.doubted_ms is None and not self.damaged

    @property
    def last_hand(self) -> int:
        """Return the last hand of which anybody was told more than its call."""
        if self.before is None:
            return 0
        state = self.before.state
        return state.hand_number - (state.phase == "granted")

    def doubt(self, awake_ms: int) -> None:
        """Suspend the checks after a loss of Redis until the table has a newer epoch."""
        self.doubted_ms = awake_ms
        self.damaged = False
        self.last_id = "0-0"
        self._watches.clear()
        self._folded.clear()

    def set_back(self, hands: dict[int, int] | None) -> None:
        """Note that PostgreSQL lost rows; `hands` are those its tables have left, if accepted.

        A state that nobody can read tells nothing of what PostgreSQL lost of its table.
        """
        if self.damaged:
            self.before = None
        elif hands is None:
            if self.doubted_ms is not None:
                self.lost_above = self.last_hand  # what both servers lost nobody can tell
        else:
            self.lost_above = hands.get(self.table, max(0, self.last_hand - 1))
            self.settled = hands.get(self.table, -1)

    def see(self, now: Look, at: Moment, commands: dict[str, Any]) -> Iterator[str]:
        """Return every violation of a table since the last look."""
        before = self.before
        if self.doubted_ms is not None:
            if now.state.phase == "closed":
                self.doubted_ms, self.before = None, now  # a closed table does not change any more
                self.last_id = now.lines[-1][0] if now.lines else self.last_id
                return
            if before is not None and now.epoch <= before.epoch:
                if at.awake_ms - self.doubted_ms > DOUBTED_MAX_MS:
                    yield f"table {self.table} lives on at epoch {now.epoch} after Redis was lost"
                return
            # What both servers lost nobody can tell.
            if before is not None and self.lost_above is None:
                yield from self._told_void(before, now)
            self.doubted_ms = before = self.lost_above = None
        elif before is not None and now.epoch > before.epoch:
            yield from self._told_void(before, now)
            self.lost_above = None
        if now.lines:
            self.last_id = now.lines[-1][0]
        yield from _history(before, now)
        if before is not None and before.epoch == now.epoch:
            lines = now.lines
            yield from told_law.on_the_stream(before.state, now.state, lines, at.now_ms)
        yield from _chips(now.state)
        yield from _wake(now, at)
        yield from self._streams(before, now)
        yield from self._commands(before, now, commands)
        yield from _time_outs(before, now, at)
        self.before = now
        # The last hand of a table that was closed in play is void and was never settled.
        if now.state.phase != "closed" and self.lost_above is None:
            self.settled = now.state.settled_hand

    def _told_void(self, lost: Look, now: Look) -> Iterator[str]:
        """Return the violations that a new epoch ended hands and nobody was told.

        They are the hand in play, and those that PostgreSQL lost although they were settled.
        """
        hand, state = lost.state.hand_number, now.state
        hands = {hand} if lost.state.phase in BEING_PLAYED else set()
        if self.lost_above is not None:
            # A settler that had loaded the table may settle its hand after the loss is accepted.
            again = state.hand_number if state.phase == "boundary" else 0
            hands.update(range(max(self.lost_above, again) + 1, self.last_hand + 1))
        if state.phase in DECIDED:
            hands.discard(state.hand_number)
        for line_id, raw in now.lines:
            is_later = int(line_id.partition("-")[0]) > lost.epoch
            if is_later and b'"hand_voided"' in raw:
                hands.discard(wire.facts(raw)["hand"])
        for number in sorted(hands):
            yield f"table {state.table} hand {number} was lost and nobody was told"

    def _streams(self, before: Look | None, now: Look) -> Iterator[str]:
        """Return violations on the streams: gaps, cards of other players, chips from nowhere."""
        state = now.state
        if before is None or before.epoch != now.epoch:
            self._watches.clear()
        seats = {} if before is None else {seat.user: seat for seat in before.state.seats}
        seats |= {seat.user: seat for seat in state.seats}
        private = {entry: dict(lines) for entry, lines in now.private.items()}
        for line_id, raw in now.lines:
            yield from self._public(line_id, raw)
        for user, watch in self._watches.items():
            seat = seats.get(user)
            own = {} if seat is None else private.get(seat.entry, {})
            for line_id, raw in now.lines:
                event = wire.table_event(own.get(line_id, raw))
                watch.event(line_id, event, None if seat is None else seat.seat)
            yield from watch.violations
        self._watches = {user: w for user, w in self._watches.items() if user in seats or not user}
        at = f"{now.epoch}-{state.seq}"
        for user in {0, *(seat.user for seat in state.seats)} - self._watches.keys():
            watch = self._watches[user] = TableWatch(f"table:{self.table}", user)
            watch.snapshot(at, snapshot(state, user or None))
            yield from watch.violations

    def _public(self, line_id: str, raw: bytes) -> Iterator[str]:
        kind = _TYPE.search(raw)
        assert kind is not None
        if kind[1] not in _OPEN and _CARD.search(raw):
            yield f"table {self.table} {line_id}: a card in {raw.decode()}"
        event = wire.facts(raw)
        if kind[1] == b"hand_began":
            self._folded = set()
        if kind[1] == b"folded":
            self._folded.add(event["seat"])
        if kind[1] == b"hands_revealed":
            shown = {seat for seat, _ in event["hands"]} & self._folded
            if shown:
                yield f"table {self.table} {line_id}: hands of folded seats {shown} are revealed"

    def _commands(self, before: Look | None, now: Look, commands: dict[str, Any]) -> Iterator[str]:
        """Return violations of commands: double effect, out of turn, action without cause."""
        state = now.state
        for seat in state.seats:
            for outcome in seat.results:
                asked = commands.get(outcome.id)
                if outcome.ok and isinstance(asked, Act):
                    turn = (asked.table, asked.epoch, asked.hand, asked.turn)
                    if self.took.setdefault(turn, outcome.id) != outcome.id:
                        yield f"{turn} was answered by {self.took[turn]} and by {outcome.id}"
        if state.phase not in PLAYED:
            return
        old = before.state if before is not None and _same_hand(before, now) else self._resumed(now)
        known = 0 if old is None else len(old.actions)
        away = {seat.seat for seat in state.seats if seat.absent}
        away |= {s.seat for s in (() if before is None else before.state.seats) if s.absent}
        away |= {
            event.seat
            for event in map(wire.table_event, (raw for _, raw in now.lines))
            if isinstance(event, TimedOut | SatOut)
        }
        for number, played in enumerate(state.actions[known:], start=known + 1):
            turn = (state.table, state.epoch, state.hand_number, number)
            asked = commands.get(self.took.get(turn, ""))
            said = type(played.action).__name__.lower()
            if asked is None and _asked_before(state, number, said, commands):
                continue
            if asked is None and played.seat not in away:
                yield f"{turn}: seat {played.seat} {said}s and nobody asked for it"
            if asked is not None and asked.action != said:
                yield f"{turn}: {asked.id} asked to {asked.action}, seat {played.seat} {said}s"

    def _resumed(self, now: Look) -> TableState | None:
        """Return the state before an epoch in which a decided hand goes on as it was decided."""
        last = self.before
        if last is None or last.epoch >= now.epoch or last.state.phase not in DECIDED:
            return None
        kept = (last.state.hand_number, last.state.actions)
        return last.state if kept == (now.state.hand_number, now.state.actions) else None


def _asked_before(state: TableState, number: int, action: str, commands: Mapping[str, Any]) -> bool:
    """Return whether an action of a decided hand was asked for in an older epoch.

    The hand may have been decided by a Redis that was set back and is never looked at: it goes on
    in the epoch after the adoption.
    """
    if state.phase not in DECIDED:
        return False
    turn = (state.table, state.hand_number, number, action)
    return any(
        (asked.table, asked.hand, asked.turn, asked.action) == turn and asked.epoch < state.epoch
        for asked in commands.values()
        if isinstance(asked, Act)
    )


def _history(before: Look | None, now: Look) -> Iterator[str]:
    """Return violations of growth: epoch, version, hand and event numbers that went back, changed
    history.
    """
    table = now.state.table
    if now.epoch != now.state.epoch:
        yield f"table {table} is at epoch {now.epoch} with a state of epoch {now.state.epoch}"
    if before is not None:
        last = (before.epoch, before.state.seq)
        for line_id, _ in now.lines:
            epoch, number = (int(part) for part in line_id.split("-"))
            if epoch < last[0] or number != (last[1] + 1 if epoch == last[0] else 1):
                yield f"table {table} told {line_id} after {last[0]}-{last[1]}"
            last = (epoch, number)
    if before is None:
        return
    if (now.epoch, now.version) < (before.epoch, before.version):
        yield f"table {table} went back from {before.epoch}.{before.version}"
    if now.version == before.version and now.epoch == before.epoch and now.state != before.state:
        yield f"table {table} changed without a new version"
    if now.epoch == before.epoch and now.state.hand_number < before.state.hand_number:
        yield f"table {table} went back to hand {now.state.hand_number}"
    if _same_hand(before, now) and now.state.phase in PLAYED:
        played = before.state.actions
        if now.state.actions[: len(played)] != played:
            yield f"table {table} hand {now.state.hand_number}: what was played has changed"


def _same_hand(before: Look, now: Look) -> bool:
    was, is_ = before.state, now.state
    return (
        (before.epoch, was.hand_number) == (now.epoch, is_.hand_number)
        and was.phase in PLAYED
    )  # fmt: skip


def _chips(state: TableState) -> Iterator[str]:
    if state.phase in BEING_PLAYED:
        yield from audit.in_hand(state)


def _wake(now: Look, at: Moment) -> Iterator[str]:
    """Return violations of wakes: a live table has one in time, whatever gets lost.

    A clock that jumped back leaves wakes as far ahead as it jumped.
    """
    due = wake(now.state)
    if due is None:
        return
    latest = max(due[0], at.now_ms + limits.WAKE_LEASE_MS) + back_ms(at.outages)
    if now.wake_ms is None:
        yield f"table {now.state.table} has no wake in phase {now.state.phase}"
    elif now.wake_ms > latest:
        yield f"table {now.state.table} wakes {now.wake_ms - latest:.0f} ms too late"


def _time_outs(before: Look | None, now: Look, at: Moment) -> Iterator[str]:
    """Return time-outs of players who answered in time, or for time during an outage (X-02)."""
    if before is None or before.state.turn is None:
        return
    asked = before.state.turn
    for _, raw in now.lines:
        event = wire.table_event(raw)
        if isinstance(event, TimedOut) and (event.seat, event.turn) == (asked.seat, asked.turn):
            turn = (now.state.table, before.epoch, before.state.hand_number, asked.turn)
            slept_ms = sum(gap for since, gap in at.outages if since >= asked.asked_ms)
            had_ms = at.now_ms - asked.asked_ms - slept_ms
            timing = before.state.timing
            if timing is not None and had_ms + limits.BEAT_GAP_MS < timing.action_ms:
                yield f"{turn} timed out after {had_ms} ms without the outage of {slept_ms} ms"
            came_ms = at.in_time.get(turn)
            if came_ms is not None and came_ms <= asked.deadline_ms:
                late_ms = asked.deadline_ms - came_ms
                yield f"{turn} timed out though its command came {late_ms} ms before the deadline"
