"""Three players and a spectator at one table, and the histories an honest room makes them write."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec

from tables.bots.client import history_rows as history
from tables.dealer import boundary
from tables.dealer.commands import Received
from tables.dealer.state import TableState
from tables.engine.state import Rules
from tables.store.streams import stream_entries
from tables.wire.table_events import HandVoided, TableEvent
from tests.tables import playing, stages
from tests.tables.whole_state import snapshot

STREAM = "table:7"
SPECTATOR = 299
USERS = (201, 202, 203, SPECTATOR)

Entry = dict[str, Any]


class Scene:
    """Hands in the pure engine; `logs` holds each client's lines as JSON objects."""

    def __init__(self, seed: int = 1, rules: Rules = stages.RULES) -> None:
        self.chance = random.Random(seed)
        self.rules = rules
        self.logs: dict[int, list[Entry]] = {
            user: [{"user": user, "name": f"Client{user}"}] for user in USERS
        }
        self.state = stages.empty()
        self.number = 0
        self.told_s = 0.0
        for user in USERS:
            self.show(user)

    def play(self, hands: int) -> Scene:
        """Play hands of random legal actions; now and then a clock runs out."""
        roster = stages.roster(9_000, 9_000, 9_000)
        for _ in range(hands):
            self._grant(roster)
            while self.state.phase == "hand":
                self._turn()
            self._keep(boundary.confirm(self.state), ())
            chips = {seat.entry: seat.chips for seat in self.state.seats}
            roster = [
                msgspec.structs.replace(seat, chips=chips[seat.entry], newcomer=False)
                for seat in roster
            ]
            if any(seat.chips == 0 for seat in roster):
                break
        return self

    def void(self, *, again: bool = False) -> Scene:
        """Begin a hand and acknowledge one action; then a fault voids the hand (new epoch).

        With `again` the next hand is dealt before any client returns.
        """
        before = self.state
        chips = [seat.chips for seat in before.seats] or [9_000] * 3
        self._grant(stages.roster(*chips))
        began = len(self.acknowledged())
        while self.state.phase == "hand" and len(self.acknowledged()) == began:
            self._turn()
        hand = before.hand_number + 1
        state = msgspec.structs.replace(
            before, epoch=before.epoch + 1, seq=0, seats=self._seats_before(before), voided=hand
        )
        told = stream_entries(state, (HandVoided(hand=hand),), before=None)
        self.state = msgspec.structs.replace(state, seq=len(told))
        if again:
            heard = {user: list(log) for user, log in self.logs.items()}
            self._grant(stages.roster(*chips))
            self.logs = heard
        for user in USERS:
            self.show(user)
        return self

    def acknowledged(self) -> list[Entry]:
        """Results that clients received."""
        every = [entry for log in self.logs.values() for entry in log]
        return [entry for entry in every if entry.get("got", {}).get("type") == "result"]

    def _seats_before(self, before: TableState) -> Any:
        return before.seats or tuple(
            msgspec.structs.replace(seat, chips=9_000, results=()) for seat in self.state.seats
        )

    def show(self, user: int) -> None:
        """Reconnect a client with a snapshot."""
        seen = snapshot(self.state, user)
        event_id = f"{self.state.epoch}-{self.state.seq}"
        state = json.loads(msgspec.json.encode(seen))
        self.got(user, {"type": "snapshot", "stream": STREAM, "id": event_id, "state": state})

    def got(self, user: int, message: Entry) -> None:
        """Record a message that a client received."""
        self.told_s += 0.01
        self.logs[user].append({"at": round(self.told_s, 3), "got": message})

    def sent(self, user: int, message: Entry) -> None:
        """Record a message that a client sent."""
        self.told_s += 0.01
        self.logs[user].append({"at": round(self.told_s, 3), "sent": message})

    def raw(self) -> dict[str, list[bytes]]:
        """Files by name."""
        return {
            f"Client{user}": [json.dumps(entry).encode() + b"\n" for entry in log]
            for user, log in self.logs.items()
        }

    def _grant(self, roster: list[Any]) -> None:
        grant = stages.grant(self.state, roster, rules=self.rules)
        now_ms = max(stages.START_MS, self.state.next_hand_ms)
        state, events = boundary.answer(self.state, grant, now_ms=now_ms)
        self._keep(state, events)
        self._keep(*stages.at(self.state, now_ms, seed=self.chance.randrange(10**6)))

    def _turn(self) -> None:
        assert self.state.turn is not None
        if self.chance.random() < 0.1:
            late_ms = self.state.turn.deadline_ms + 1
            self._keep(*stages.at(self.state, late_ms, seed=1))
            return
        self.number += 1
        user = self.state.at(self.state.turn.seat).user
        act = playing.choose(self.state, self.chance, self.number)
        self.sent(user, json.loads(msgspec.json.encode(act)))
        if self.chance.random() < 0.2:
            self.show(user)
        received = Received(user=user, at_ms=stages.START_MS, command=act)
        self._keep(*stages.at(self.state, stages.START_MS, received, seed=1))
        self.got(user, {"type": "result", "id": act.id, "ok": True})

    def _keep(self, state: TableState, events: tuple[TableEvent, ...]) -> None:
        told = stream_entries(state, events, before=self.state)
        entries = {seat.user: seat.entry for seat in (*self.state.seats, *state.seats)}
        self.state = msgspec.structs.replace(state, seq=self.state.seq + len(told))
        for user in USERS if told else ():
            mine = [line.private.get(entries.get(user, 0), line.public) for line in told]
            events_ = [json.loads(line) for line in mine]
            self.got(user, {"type": "events", "stream": STREAM, "events": events_})


def begin(user: int) -> bytes:
    """First line of another process of the client."""
    return history.begin(user, f"Client{user}")
