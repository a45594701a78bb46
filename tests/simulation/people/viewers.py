"""Viewers of tables that disconnect, resume, lag, and compare states with fresh snapshots."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

from tables.dealer.state import TableState
from tables.gateway.streams.recent import Position
from tables.store import fenced, keys
from tests.simulation.edge import Edge
from tests.simulation.laws.shown_law import ShownLaw
from tests.simulation.people.viewer import Viewer
from tests.tables.client_side import read
from tests.tables.whole_state import snapshot

if TYPE_CHECKING:
    from tests.simulation.world import World

VIEWERS_MAX = 3
"""Maximum number of viewers of one table at a time."""
COMES, LEAVES, DROPS, RETURNS, LAGS, READS_ON = 0.15, 0.01, 0.03, 0.25, 0.03, 0.2
HINT_LOST, LOOKS, PART, ROUND, TRIM, BROKEN = 0.1, 0.7, 0.1, 0.06, 0.01, 0.01
COMPARES = 0.25
TRIMMED_TO = (1, 3, 10, 40)
BEHIND_MAX_S = 20.0
BEHIND_ROUNDS_MAX = 5
LAST_ROUNDS = 12
LAST_PAUSE_MS = 3_000


class Viewers:
    """All viewers at the gateway; they read and change nothing."""

    def __init__(self, world: World) -> None:
        self.world = world
        lot = random.Random(f"{world.seed} viewers")
        self.small = lot.random() < 0.5
        self.edge = Edge(world, small=self.small)
        self.counts: Counter[str] = Counter()
        self._acts: list[Callable[[], None]] = []
        self._of: dict[int, list[Viewer]] = {}
        self._shown: dict[int, ShownLaw] = {}

    def installed(self) -> AbstractContextManager[None]:
        """Run a gateway while the context lasts."""
        return self.edge.installed()

    def doubt(self) -> None:
        """Distrust the states of all viewers after Redis was emptied or set back."""
        self.edge.lose_redis()
        for law in self._shown.values():
            law.forget()
        for one in self._all():
            one.doubt()

    def leave(self) -> None:
        """Disconnect all viewers before the gateway finds another run of Redis."""
        following = [one for one in self._all() if one.follows]
        self.world.say(f"{len(following)} viewers drop")
        self.edge.turn(*(one.drop for one in following))
        self.edge.lose_redis()

    def look(self, changed: list[int]) -> Iterator[str]:
        """Run viewers and gateway after a step; return the differences viewers saw."""
        chance = random.Random(f"{self.world.seed} viewers {self.world.steps}")
        stirred = [one for one in self._all() if self._stir(one, chance)]
        for old in self.world.laws.doubted:
            yield from self._shown_law(old.table).see(old)
        for table in changed:
            state = self._state(table)
            assert state is not None
            yield from self._shown_law(table).see(state)
            came = self._come(state, chance)
            if came is not None:
                stirred.append(came)
            if chance.random() >= HINT_LOST:
                self._acts.append(partial(self.edge.gateway.hear, keys.table(table)))
        rolls = [chance.random() for _ in range(5)]
        if rolls[0] < TRIM:
            self._trim(chance)
        if rolls[1] < BROKEN:
            self.edge.redis.failing = 1
        whole = rolls[2] < ROUND
        if whole:
            self.edge.gateway.compare_soon()
        elif rolls[3] < PART:
            self.edge.gateway.compare_part()
        if whole or stirred or (changed and rolls[4] < LOOKS):
            acts, self._acts = self._acts, []
            whole = self.edge.turn(*acts, self.edge.gateway.read_due_streams) and whole
            yield from self._judge(whole, chance)

    def at_the_end(self) -> Iterator[str]:
        """Reconnect all viewers; every follower must have the fresh state in the end."""
        chance = random.Random(f"{self.world.seed} viewers at the end")
        self.edge.redis.failing = 0
        for one in self._all():
            one.read_on()
            if not one.follows and not one.refused:
                self._acts.append(partial(one.join, chance, self.small))
        self.edge.turn(*self._acts)
        for _ in range(LAST_ROUNDS):
            self.edge.loop.pass_by(LAST_PAUSE_MS)
            self.edge.gateway.compare_soon()
            self.edge.turn(self.edge.gateway.read_due_streams, self.edge.gateway.read_due_streams)
            yield from self._judge(True, chance)
        for one in self._all():
            state = self._state(one.table)
            if state is not None and not one.refused and one.at != _position(state):
                yield f"{one.name} ends at {one.at}, the table at {_position(state)}"

    # ---- arrivals and connections ----

    def _come(self, state: TableState, chance: random.Random) -> Viewer | None:
        """Let a user open a table, mostly one of its players."""
        here = self._of.setdefault(state.table, [])
        if len(here) >= VIEWERS_MAX or chance.random() >= COMES:
            return None
        seated = sorted({seat.user for seat in state.seats} - {one.user for one in here})
        others = sorted(set(self.world.users) - set(seated))
        role = chance.random()
        user = None
        if role < 0.65 and seated:
            user = chance.choice(seated)
        elif role < 0.75 and others:
            user = chance.choice(others)
        number = self.counts["viewers"]
        self.counts["viewers"] += 1
        one = Viewer(self.edge, self._shown_law(state.table), state.table, user, number)
        here.append(one)
        self.world.say(f"{one.name} comes")
        self._acts.append(partial(one.join, chance, self.small))
        return one

    def _stir(self, one: Viewer, chance: random.Random) -> bool:
        """Let a viewer disconnect, lag, resume or read; return whether the gateway has work."""
        roll, pick = chance.random(), chance.random()
        if one.refused:
            self._of[one.table].remove(one)
            return False
        if not one.follows:
            if roll < RETURNS:
                place = one.choose_place(pick)
                self.counts[f"resumes from {place}"] += 1
                self.world.say(f"{one.name} resumes from {place}, {one.at}")
                self._acts.append(partial(one.join, chance, self.small))
                return True
            return False
        if one.lags:
            if roll < READS_ON:
                one.read_on()
                return True
            return False
        if roll < LEAVES:
            self._acts.append(one.drop)
            self._of[one.table].remove(one)
            return True
        if roll < LEAVES + DROPS:
            self.counts["drops"] += 1
            self.world.say(f"{one.name} drops")
            self._acts.append(one.drop)
            return True
        if roll < LEAVES + DROPS + LAGS:
            self.counts["lags"] += 1
            self.world.say(f"{one.name} lags")
            one.lag()
        return False

    def _trim(self, chance: random.Random) -> None:
        """Trim the stream of a table to its newest events."""
        tables = [table for table in sorted(self._of) if not self._doubted(table)]
        if tables:
            self.counts["streams trimmed"] += 1
            key = keys.events(keys.table(chance.choice(tables)), 1)
            self.world.line.ask(("XTRIM", key, "MAXLEN", chance.choice(TRIMMED_TO)))

    # ---- comparison with snapshots ----

    def _judge(self, whole: bool, chance: random.Random) -> Iterator[str]:
        for failure in self.edge.failures:
            yield f"the gateway stumbled: {failure!r}"
        for table, here in self._of.items():
            told = [one for one in here if one.has_heard]
            state = None
            for one in here if whole else told:
                yield from one.take(met=self.edge.knows_redis)
                if one.lags or not one.follows or one.fell:
                    continue
                state = state or self._state(table)
                if state is None or self._doubted(table):
                    continue
                yield from self._compare(one, state, chance)
                if whole:
                    yield from self._behind(one, _position(state))

    def _compare(self, one: Viewer, state: TableState, chance: random.Random) -> Iterator[str]:
        """Compare a viewer's state, made of snapshots and events, with a fresh snapshot."""
        if one.seen is None or one.at != _position(state) or one.compared == one.at:
            return
        if not one.caught_up and chance.random() >= COMPARES:
            return
        one.caught_up = False
        one.compared = one.at
        self.counts[f"seen in {state.phase}"] += 1
        seated = one.user is not None and state.seat_of(one.user) is not None
        yield from one.differs(read(snapshot(state, one.user if seated else None)))

    def _behind(self, one: Viewer, now: Position) -> Iterator[str]:
        """Return viewers that read and are still behind the stream head the gateway compared."""
        now_s = self.edge.loop.time()
        if one.owed is None or (one.at is not None and one.at >= one.owed[1]):
            one.owed = (now_s, now, 0)
            return
        since_s, owed, rounds = one.owed
        one.owed = (since_s, owed, rounds + 1)
        if now_s - since_s > BEHIND_MAX_S and rounds > BEHIND_ROUNDS_MAX:
            yield f"{one.name} is at {one.at} and was not told {owed} in {rounds} rounds"

    def _all(self) -> list[Viewer]:
        return [one for here in self._of.values() for one in here]

    def _shown_law(self, table: int) -> ShownLaw:
        if table not in self._shown:
            self._shown[table] = ShownLaw(table, self.world.clients.shows)
        return self._shown[table]

    def _doubted(self, table: int) -> bool:
        return self.world.laws.tables[table].doubted_ms is not None

    def _state(self, table: int) -> TableState | None:
        """Return the state of a table in Redis, as the laws just read it where they trust it."""
        known = self.world.laws.tables[table]
        if known.before is not None and known.doubted_ms is None:
            return known.before.state
        return fenced.peek(self.world.aside, table)


def _position(state: TableState) -> Position:
    return (state.epoch, state.seq)
