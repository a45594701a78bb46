"""Bot of one function: it is asked at each own turn, everything else is done for it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from room_client import notices
from room_client.connection import Connection
from room_client.messages.frames import SeatSnapshot, TableSnapshot
from room_client.messages.options import Option
from room_client.player import Player
from room_client.steps import DueTurn, FollowedTable, Steps
from room_client.view import seat_of

Choice = tuple[str, int | None]
"""An action, and the amount of a bet or the total of a raise: ("raise", 400), ("call", None)."""

_OVER = frozenset(
    {"knocked_out", "prize", "tournament_over", "tournament_cancelled", "disqualified"}
)
_LIVE = frozenset({"registered", "seated", "pending"})


class Turn(msgspec.Struct, frozen=True):
    """An own turn: the table as the player sees it, the own seat, and what is allowed."""

    table: TableSnapshot
    seat: SeatSnapshot
    option: Option

    @property
    def pot(self) -> int:
        """Chips in the middle, with the bets in front of the seats."""
        collected = sum(pot.amount for pot in self.table.pots)
        return collected + sum(seat.bet for seat in self.table.seats)


Decide = Callable[[Turn], Choice]
"""Function that is asked at each own turn; it must not take long, as it holds up all tables."""


def choice_within(choice: Choice, option: Option) -> Choice:
    """Return the choice if it is allowed, else the nearest one: call, check or fold.

    Parts of a chip are cut off: a share of the pot is a number with them.
    """
    action, amount = choice
    if action in ("bet", "raise"):
        least, most = (
            (option.bet_min, option.bet_max)
            if option.bet_min is not None
            else (option.raise_min, option.raise_max)
        )
        if least is not None and most is not None:
            name = "bet" if option.bet_min is not None else "raise"
            return name, min(max(int(amount or least), least), most)
        action = "call"
    if action == "call" and option.call is not None:
        return "call", None
    if option.check:
        return "check", None
    return ("fold", None) if option.fold else ("call", None)


class _Seat(Player[Steps, FollowedTable]):
    """Player whose tournaments are noted, so that `play` knows when all are over.

    `ring` has the tables of ring games that the caller named, `pools` the table of the last hand in
    each rapid pool, `awaited` the tables that notices named and where no own seat was seen since.
    """

    def __init__(self, expected: set[int], ring: Iterable[int]) -> None:
        super().__init__(
            Steps,
            FollowedTable,
            ids=secrets.token_hex(6),
            fresh=lambda: secrets.token_bytes(32),
        )
        self.live = set(expected)
        self.over: set[int] = set()
        self.pools: dict[int, int] = {}
        self.awaited: set[int] = set()
        self.ring = list(ring)
        for table in self.ring:
            self.follow(table)
        self.changed = asyncio.Event()

    def noticed(self, facts: dict[str, Any], todo: Steps, *, fresh: bool) -> None:
        """Note which tournaments the player is in or out of, and go along in rapid pools."""
        self.awaited.update(notices.tables_in(facts))
        match facts:
            case {"type": "rapid_dealt_in", "game": int(game), "table": int(table)}:
                before = self.pools.get(game, table)
                todo.send += [] if before == table else self.leave(f"table:{before}")
                self.pools[game] = table
            case {"type": "registered" | "seated", "tournament": int(tournament)}:
                self.live.add(tournament)
                self.over.discard(tournament)
            case {"type": "unregistered", "tournament": int(tournament), "left": 0}:
                self.over.add(tournament)
            case {"type": kind, "tournament": int(tournament)} if kind in _OVER:
                self.over.add(tournament)
            case {"tournaments": dict(mine)}:
                now = {int(key) for key, state in mine.items() if state in _LIVE}
                self.over = (self.over | self.live) - now
                self.live |= now

    def stays_at(self, table: int) -> bool:
        """Return whether a table of a rapid pool is followed on: its next hand may be told."""
        return table in self.pools.values()

    def shown(self, followed: FollowedTable, at: str, seen: TableSnapshot) -> None:
        """Note that a named table has the own seat."""
        if seat_of(seen, self.user) is not None:
            self.awaited.discard(seen.table)

    def has_lost(self, seen: TableSnapshot, before: TableSnapshot | None) -> bool:
        """Return whether the own seat went while this was not connected, and none is to come."""
        had = before is not None and seat_of(before, self.user) is not None
        return had and seen.table not in self.awaited and not self.stays_at(seen.table)

    def is_done(self, tournament: int) -> bool:
        """Return whether a tournament is over for the player, at all of its tables.

        A table that was not shown yet may be one of them: after a move, for example. One of a ring
        game is none of them: ring games and tournaments have numbers of their own.
        """
        others = {f"table:{table}" for table in (*self.ring, *self.pools.values())}
        seen = [one.seen for stream, one in self.tables.items() if stream not in others]
        at_table = any(table is None or table.game == tournament for table in seen)
        return tournament in self.over and not at_table


class _Line(Connection):
    """Connection of a bot: asks its function at each turn."""

    def __init__(
        self, url: str, token: str, decide: Decide, expected: set[int], tables: Iterable[int]
    ) -> None:
        super().__init__(url, {"Authorization": f"Bearer {token}"})
        self.seat = _Seat(expected, tables)
        self.failure: Exception | None = None
        self._decide = decide

    def received(self, raw: str | bytes) -> None:
        """Take in one message, and answer the own turns."""
        steps = self.seat.received(raw, asyncio.get_running_loop().time())
        self.say(steps.send)
        for due in steps.turns:
            if due.after_s:
                self.keep(asyncio.create_task(self._answer_later(due)))
            else:
                self._answer(due)
        self.seat.changed.set()

    async def _answer_later(self, due: DueTurn) -> None:
        await asyncio.sleep(due.after_s)
        try:
            self._answer(due)
        except Exception as failure:  # nobody awaits this task: `play` raises it
            self.failure = failure
            self.seat.changed.set()

    def _answer(self, due: DueTurn) -> None:
        seen = self.seat.view_of(due)
        own = None if seen is None else seat_of(seen, self.seat.user)
        if seen is None or seen.turn is None or own is None:
            return
        wish = self._decide(Turn(seen, own, seen.turn.option))
        action, amount = choice_within(wish, seen.turn.option)
        command = self.seat.act(due, action, amount)
        if command is not None:
            self.say([command])


async def play(
    url: str,
    token: str,
    decide: Decide,
    *,
    until: int | None = None,
    tables: Iterable[int] = (),
) -> None:
    """Play all own seats, across lost connections, until a tournament is over for the player.

    `tables` are ring tables at which a seat was bought that its next hand will fill: the room
    tells of seats in tournaments and hands of rapid pools by itself. Without `until` it plays on
    until it is cancelled. Raises `websockets.InvalidStatus` where the room refuses the token.
    """
    line = _Line(url, token, decide, set() if until is None else {until}, tables)
    running = asyncio.create_task(line.run())
    try:
        while until is None or not line.seat.is_done(until):
            noted = asyncio.create_task(line.seat.changed.wait())
            await asyncio.wait({running, noted}, return_when=asyncio.FIRST_COMPLETED)
            noted.cancel()
            line.seat.changed.clear()
            if line.failure is not None:
                raise line.failure
            if running.done():
                running.result()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
