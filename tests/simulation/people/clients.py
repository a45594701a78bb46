"""Simulated players: they see a turn, wait, send a command; some resend, reorder, vanish or send
nonsense.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec

from tables.dealer.state import TableSeat, TableState
from tables.engine.betting import legal_actions
from tables.store import inbox
from tables.store.keys import table as member_of
from tables.wire.client_commands import (
    Act,
    AnsweredCommand,
    ComeBack,
    ShowCards,
    SitOut,
    TableCommand,
    TimeBank,
)
from tables.workers import bells
from tests.simulation.faults import CLIENT

if TYPE_CHECKING:
    from tests.simulation.world import World

RESENDS_LATE_MS = 9_000
VANISHES_MS = 12_000

Turn = tuple[int, int, int, int]
"""Table, epoch, hand and turn."""


class Clients:
    """All seated players at the gateway: table states in, commands out."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.gone_until: dict[int, int] = {}
        self.sent: list[tuple[int, AnsweredCommand]] = []
        self.commands: dict[str, TableCommand] = {}
        self.in_time: dict[Turn, int] = {}
        self.shows: set[tuple[int, int, int]] = set()
        """User, table and hand of everybody who asked to show his cards."""
        self._asked: set[Turn] = set()
        self._returning: set[tuple[int, int]] = set()
        self._number = 0

    def see(self, state: TableState, chance: random.Random) -> None:
        """Read a changed table: the seat to act waits, an absent seat may plan its return."""
        for seat in state.seats:
            if seat.absent:
                self._come_back(state, seat, chance)
        if state.turn is None:
            return
        turn = (state.table, state.epoch, state.hand_number, state.turn.turn)
        if turn in self._asked:
            return
        self._asked.add(turn)
        seat = state.at(state.turn.seat)
        kind = self.world.fault(CLIENT, "client", chance)
        if kind == "vanish":
            self.gone_until[seat.user] = self.world.now_ms + chance.randint(500, VANISHES_MS)
        if self.world.now_ms < self.gone_until.get(seat.user, 0):
            return
        think_ms = chance.choice((10, 50, 150, 400))
        self.world.soon(think_ms, f"act {self._name(state, seat)}", lambda: self._act(state, kind))

    def sit_out(self, user: int, table: int) -> None:
        """Send the command of a player who sits out; the player comes back after some time."""
        self._send(user, SitOut(self._id(), table))

    def _act(self, state: TableState, kind: str | None) -> None:
        """Answer the turn that was seen, even if that turn is over by now."""
        assert state.turn is not None
        chance = self.world.step_chance
        seat = state.at(state.turn.seat)
        act = self._choose(state, chance)
        if kind == "nonsense":
            self._send(chance.choice(list(self.world.users)), self._nonsense(state, act, chance))
        if chance.random() < 0.04 and seat.bank_ms:
            self._send(seat.user, self._time_bank(state))
        if chance.random() < 0.02:
            self._send(seat.user, SitOut(self._id(), state.table))
        if kind == "reorder":
            late_ms = chance.randint(50, 900)
            again = self._choose(state, chance)
            self.world.soon(late_ms, "overtaken command", lambda: self._send(seat.user, act))
            accepted = self._send(seat.user, again)
        else:
            accepted = self._send(seat.user, act)
        if accepted:
            turn = (state.table, state.epoch, state.hand_number, state.turn.turn)
            self.in_time.setdefault(turn, self.world.now_ms)
        if kind == "resend":
            old_user, old = chance.choice(self.sent[-40:]) if self.sent else (seat.user, act)
            wait_ms = chance.choice((1, 200, RESENDS_LATE_MS))
            self.world.soon(wait_ms, "resent command", lambda: self._send(seat.user, act))
            self.world.soon(wait_ms, "old command", lambda: self._send(old_user, old))
        if chance.random() < 0.05:
            shown = ShowCards(self._id(), state.table, state.epoch, state.hand_number, "both")
            self.world.soon(300, "show", lambda: self._send(seat.user, shown))

    def _send(self, user: int, command: AnsweredCommand) -> bool:
        """Do what the gateway does with a command: append it to the inbox and ring if the script
        asks for it.
        """
        self.sent.append((user, command))
        self.commands[command.id] = command
        if isinstance(command, ShowCards):
            self.shows.add((user, command.table, command.hand))
        raw = msgspec.json.encode(command)
        found = inbox.append(self.world.redis, command.table, user, raw)
        self.world.say(f"{type(command).__name__} from user {user}: {found.status}")
        if found.status == "accepted" and found.ring:
            bells.ring(member_of(command.table), "play")
        return found.status == "accepted"

    def _choose(self, state: TableState, chance: random.Random) -> Act:
        """Choose an action; short stacks often go all-in, so that tournaments end."""
        assert state.hand is not None and state.turn is not None
        option = legal_actions(state.hand, state.turn.seat)
        kind, amount = (
            ("check", None) if option.check else ("fold" if option.fold else "call", None)
        )
        bold = 0.9 if self.world.is_calm else 0.55
        roll = chance.random()
        if roll < bold:
            if option.raise_max is not None and chance.random() < 0.6:
                kind, amount = "raise", chance.choice((option.raise_max, option.raise_min))
            elif option.bet_max is not None and chance.random() < 0.7:
                kind, amount = "bet", chance.choice((option.bet_max, option.bet_min))
            elif option.call is not None:
                kind, amount = "call", None
        return Act(
            id=self._id(),
            table=state.table,
            epoch=state.epoch,
            hand=state.hand_number,
            turn=state.turn.turn,
            action=kind,  # type: ignore[arg-type]
            amount=amount,
        )

    def _nonsense(self, state: TableState, act: Act, chance: random.Random) -> AnsweredCommand:
        replace = msgspec.structs.replace
        return chance.choice(
            (
                replace(act, id=self._id()),
                replace(act, id=self._id(), turn=act.turn + 1),
                replace(act, id=self._id(), action="raise", amount=1),
                replace(act, id=self._id(), epoch=act.epoch + 1),
                SitOut(self._id(), state.table),
            )
        )

    def _time_bank(self, state: TableState) -> TimeBank:
        assert state.turn is not None
        turn = state.turn.turn
        return TimeBank(self._id(), state.table, state.epoch, state.hand_number, turn)

    def _come_back(self, state: TableState, seat: TableSeat, chance: random.Random) -> None:
        """Return an absent player, after some delay, at the table of the entry's current seat."""
        key = (state.table, seat.user)
        if key in self._returning:
            return
        self._returning.add(key)
        away_ms = max(0, self.gone_until.get(seat.user, 0) - self.world.now_ms)
        wait_ms = away_ms + chance.choice((100, 1_000, 4_000))

        def back() -> None:
            self._returning.discard(key)
            self._send(seat.user, ComeBack(self._id(), state.table))

        self.world.soon(wait_ms, f"return {self._name(state, seat)}", back)

    def _id(self) -> str:
        self._number += 1
        return f"c{self._number}"

    def _name(self, state: TableState, seat: TableSeat) -> str:
        return f"table {state.table} seat {seat.seat}"
