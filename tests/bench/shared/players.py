"""Bots without sockets: `players SECONDS TABLE...` as a module; one command a decision.

They cut every deck that is called: all seats of a table in one trip, as a web process sends them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from random import Random
from secrets import token_bytes
from time import monotonic
from typing import Any, cast

import django
import msgspec

from tables.engine.actions import Option
from tables.wire.client_commands import Act, CutDeck
from tables.wire.table_events import CutCalled, SeatLeft, SeatTaken, TableClosed, TurnBegan

READ_MAX = 200
WAIT_MS = 200

_encode = msgspec.json.Encoder().encode
_HEARD = (
    b'"type":"turn_began"', b'"type":"cut_called"', b'"type":"seat_', b'"type":"table_closed"',
)  # fmt: skip
_decode = msgspec.json.Decoder(TurnBegan | CutCalled | SeatTaken | SeatLeft | TableClosed).decode


class Players:
    """Players of several tables: read their streams and answer every turn at once."""

    def __init__(self, tables: Sequence[int]) -> None:
        from django.conf import settings

        from config.redis import room
        from tables.store import fenced, inbox, keys, lua

        self._redis = room()
        self._append = lua.source("append")
        self._arguments, self._answer = inbox.arguments, inbox.answer
        self._chance = Random(tables[0])
        self._numbers: dict[bytes, int] = {}
        self._seen: dict[bytes, bytes] = {}
        self._users: dict[int, dict[int, int]] = {}
        self._epochs: dict[int, int] = {}
        self._entries: dict[int, dict[int, int]] = {}
        self._seeds: dict[int, bytes] = {}
        self.decisions = self.bells = self.asked = 0
        for table in tables:
            state = fenced.peek_open(self._redis, table)
            assert state is not None, f"table {table} is open"
            key = keys.events(keys.table(table), settings.SHARDS).encode()
            self._numbers[key] = table
            # From the start: the current turn is among the events.
            self._seen[key] = b"0-0"
            self._users[table] = {seat.seat: seat.user for seat in state.seats}
            self._epochs[table] = state.epoch
            self._entries[table] = {seat.seat: seat.entry for seat in state.seats}
            self._cut(table, state.hand_number, ())

    def play(self, seconds: float) -> None:
        """Play until the time is up."""
        ends = monotonic() + seconds
        while self._seen and monotonic() < ends:
            found: Any = self._redis.xread(cast(Any, self._seen), count=READ_MAX, block=WAIT_MS)
            turns = [turn for key, parts in found.items() for turn in self._hear(key, parts)]
            self._act(turns)

    def _hear(self, key: bytes, parts: Any) -> list[tuple[int, TurnBegan]]:
        table = self._numbers[key]
        asked: TurnBegan | None = None
        for part in parts:
            for line_id, fields in part:
                self._seen[key] = line_id
                line = fields[b"e"]
                if b'_ended"' in line[:60]:
                    asked = None
                if not any(mark in line[:60] for mark in _HEARD):
                    continue
                event = _decode(line)
                match event:
                    case TurnBegan():
                        asked = event
                    case CutCalled(hand, seats=seats):
                        self._cut(table, hand, seats)
                    case SeatTaken(seat, _, user):
                        self._users[table][seat] = user
                    case SeatLeft(seat):
                        self._users[table].pop(seat, None)
                    case TableClosed():
                        del self._seen[key]
                        return []
        return [] if asked is None else [(table, asked)]

    def _cut(self, table: int, hand: int, called: Sequence[int]) -> None:
        """Open the seeds of the called seats, and pledge another one for each seat of the table."""
        from config.redis.scripts import ScriptCall, run
        from tables.fairness.cutting import pledge_of
        from tables.store import inbox, keys, lua
        from tables.workers import sealing
        from tables.workers.bells import ring

        cuts = []
        for seat, entry in self._entries[table].items():
            opened = self._seeds[entry].hex() if seat in called else None
            fresh = self._seeds[entry] = token_bytes(32)
            pledge = pledge_of(sealing.room(), entry, fresh).hex()
            cut = CutDeck(table, self._epochs[table], hand, seed=opened, pledge=pledge)
            cuts.append(inbox.SentCut(self._users[table][seat], cut))
        given = inbox.cut_arguments(table, cuts)
        if inbox.cut_answer(run(self._redis, ScriptCall(lua.source("cut"), *given)))[1]:
            ring(keys.table(table), "play")

    def _act(self, turns: Sequence[tuple[int, TurnBegan]]) -> None:
        if not turns:
            return
        from config.redis.scripts import ScriptCall, run_all
        from tables.store import keys
        from tables.workers.bells import ring

        calls = []
        for table, turn in turns:
            command = _encode(self._command(table, turn))
            names, values = self._arguments(table, self._users[table][turn.seat], command)
            calls.append(ScriptCall(self._append, names, values))
        self.asked += len(turns)
        for (table, _), raw in zip(turns, run_all(self._redis, calls), strict=True):
            said = self._answer(raw)
            self.decisions += said.status == "accepted"
            if said.ring:
                self.bells += 1
                ring(keys.table(table), "play")

    def _command(self, table: int, turn: TurnBegan) -> Act:
        action, amount = choose(self._chance, turn.option)
        return Act(
            id=f"b{self.asked:x}-{table:x}-{turn.hand:x}-{turn.turn:x}",
            table=table,
            epoch=self._epochs[table],
            hand=turn.hand,
            turn=turn.turn,
            action=cast(Any, action),
            amount=amount,
        )


def choose(chance: Random, option: Option) -> tuple[str, int | None]:
    """Return an action of a mix as of the recorded hands: most hands end before a showdown."""
    roll = chance.random()
    if roll < 0.12 and option.raise_min is not None and option.raise_max is not None:
        return "raise", chance.randint(
            option.raise_min, min(option.raise_max, 3 * option.raise_min)
        )
    if roll < 0.25 and option.bet_min is not None and option.bet_max is not None:
        return "bet", chance.randint(option.bet_min, min(option.bet_max, 4 * option.bet_min))
    if option.check:
        return "check", None
    return ("fold", None) if roll > 0.45 else ("call", None)


def main(seconds: float, tables: Sequence[int]) -> None:
    """Play and print the number of commands, and of the bells they needed."""
    players = Players(tables)
    players.play(seconds)
    print(json.dumps({"decisions": players.decisions, "bells": players.bells}))


if __name__ == "__main__":
    django.setup()
    main(float(sys.argv[1]), [int(number) for number in sys.argv[2:]])
