"""Cost of fair dealing on the whole path of a hand: played with and without it, in turns.

python -m tests.bench.fair_path [ROUNDS]. Full tables of nine are played in this process, in blocks
of hands in a drawn order, so that all ways meet the same load of the machine. Of the clients' own
work nothing is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from random import Random
from secrets import token_bytes
from statistics import median, quantiles
from time import process_time
from typing import Any

from deploy.measuring.processes import Usage, since, usages
from tests.bench.shared import rooms
from tests.bench.shared.report import note

ROUNDS = 20
BLOCK_HANDS = 45
WARM_UP_HANDS = 20
TABLES, SEATS = 5, 9
TURN_HANDS = 15
"""Hands between two turns of the log's keeper: 3,000 players play 4.1 a second, and two settle
workers that look every 2.5 s take a turn every 3.75 s.
"""

STACK = 1_000_000_000
"""Chips of each player, whom no hand brings near an all-in: choices then follow from drawn numbers
alone, and all ways play the same actions.
"""

MOST_DEARER = 0.06
"""Goal: greatest share by which fair dealing makes the path dearer."""

PARTS = ("workers", "log", "servers")
"""Parts of the path: this process at tables, this process as keeper of the log, both servers."""

Costs = dict[str, float]
"""Processor milliseconds for one hand, by part."""


class PlayedTables:
    """Tables that are played in one way; `cpu_s` is the time of this process by part."""

    def __init__(self, tables: Sequence[int], *, sealed: bool) -> None:
        from config.redis import room
        from tables.fairlog.keeper import Keeper

        self._redis, self._tables, self._sealed = room(), tables, sealed
        self._keeper = Keeper()
        self._chances = {table: Random(at) for at, table in enumerate(tables)}
        self._seeds: dict[int, bytes] = {}
        self._turn = self.hands = self.actions = 0
        self.cpu_s = dict.fromkeys(PARTS, 0.0)

    def play(self, hands: int) -> None:
        """Play so many hands more."""
        ends = self.hands + hands
        while self.hands < ends:
            for table in self._tables:
                self._step(table)

    def _step(self, table: int) -> None:
        from tables.store import fenced
        from tables.workers import advance, settle

        state = fenced.peek_open(self._redis, table)
        assert state is not None
        if state.phase in ("finished", "boundary"):
            with self._counted("workers"):
                settle.settle(self._redis, table)
            if state.phase == "finished":
                self.hands += 1
                if self._sealed and self.hands % TURN_HANDS == 0:
                    with self._counted("log"):
                        self._keeper.take_turn()
            return
        if state.phase == "granted" and self._sealed:
            self._cut(state)
        if state.phase == "hand":
            self._act(state)
        with self._counted("workers"):
            advance.advance(self._redis, table)

    def _act(self, state: Any) -> None:
        import msgspec

        from tables.engine.betting import legal_actions
        from tables.store import inbox
        from tables.wire.client_commands import Act
        from tests.bench.shared.players import choose

        self._turn += 1
        self.actions += 1
        action, amount = choose(
            self._chances[state.table], legal_actions(state.hand, state.turn.seat)
        )
        named = (f"p{self._turn}", state.table, state.epoch, state.hand_number, state.turn.turn)
        command = msgspec.json.encode(Act(*named, action, amount))  # type: ignore[arg-type]
        user = state.at(state.turn.seat).user
        with self._counted("workers"):
            inbox.append(self._redis, state.table, user, command)

    def _cut(self, state: Any) -> None:
        """Open the called seed of each seat, and pledge the next one in the same message.

        A web process gathers the cuts of a table and sends them in one run of a script, as here.
        """
        from config.redis.scripts import ScriptCall, run
        from tables.fairness.cutting import pledge_of
        from tables.store import inbox, lua
        from tables.wire.client_commands import CutDeck
        from tables.workers import sealing

        called, cuts = {cut.seat for cut in state.called.cuts}, []
        for seat in state.seats:
            opened = self._seeds.get(seat.entry) if seat.seat in called else None
            fresh = self._seeds[seat.entry] = token_bytes(32)
            cut = CutDeck(
                state.table,
                state.epoch,
                state.hand_number,
                seed=None if opened is None else opened.hex(),
                pledge=pledge_of(sealing.room(), seat.entry, fresh).hex(),
            )
            cuts.append(inbox.SentCut(seat.user, cut))
        with self._counted("workers"):
            given = inbox.cut_arguments(state.table, cuts)
            run(self._redis, ScriptCall(lua.source("cut"), *given))

    @contextmanager
    def _counted(self, part: str) -> Iterator[None]:
        began_s = process_time()
        yield
        self.cpu_s[part] += process_time() - began_s


def main(rounds: int) -> None:
    """Measure the three ways; print and note them, and say whether the goal is met."""
    with rooms.opened() as (supervisor, _):
        pids = {name: supervisor.pid(name) for name in ("postgres", "room")}
        found = measured({name: pid for name, pid in pids.items() if pid is not None}, rounds)
    print(f"\n  {'CPU ms for one hand':<20}" + "".join(f"{part:>10}" for part in (*PARTS, "all")))
    whole = {way: [sum(block.values()) for block in blocks] for way, blocks in found.items()}
    for way, blocks in found.items():
        parts = [median(block[part] for block in blocks) for part in PARTS]
        print(f"  {way:<20}" + "".join(f"{ms:>10.2f}" for ms in (*parts, median(whole[way]))))
    numbers = {f"path.{way}_hand_ms": round(median(each), 2) for way, each in whole.items()}
    for way in ("unsealed", "plain"):
        dearer = [fair / other - 1 for fair, other in zip(whole["fair"], whole[way], strict=True)]
        low, middle, high = quantiles(dearer, n=4)
        print(f"  fair beside {way}: {middle:+.1%}, half of the rounds {low:+.1%} to {high:+.1%}")
        numbers[f"path.fair_beside_{way}_percent"] = round(100 * middle, 1)
    note(numbers)
    is_met = numbers["path.fair_beside_unsealed_percent"] <= 100 * MOST_DEARER
    print(f"  goal of at most {MOST_DEARER:.0%} dearer: {'met' if is_met else 'missed'}")


def measured(servers: Mapping[str, int], rounds: int) -> dict[str, list[Costs]]:
    """Return the costs of each block by way.

    `fair` hands are sealed, called, cut by all nine and logged; `unsealed` ones are dealt from a
    seed, as in a research room; `plain` ones lie in no boxes, neither in Redis nor afterwards.
    """
    from tables.workers import sealing

    sealing.publish_call_key()
    ways: dict[str, Callable[[int], Costs]] = {
        "fair": _way(servers, sealed=True),
        "unsealed": _way(servers, sealed=False),
        "plain": _way(servers, sealed=False, boxed=False),
    }
    found: dict[str, list[Costs]] = {way: [] for way in ways}
    for play in ways.values():
        play(WARM_UP_HANDS)
    chance = Random(2)
    for _ in range(rounds):
        for way in chance.sample(list(ways), len(ways)):
            found[way].append(ways[way](BLOCK_HANDS))
    return found


def _way(servers: Mapping[str, int], *, sealed: bool, boxed: bool = True) -> Callable[[int], Costs]:
    """Return a function that plays hands at tables of their own and tells what one cost."""
    stored_as = nullcontext if boxed else _without_boxes
    with stored_as():
        tables = rooms.seated(TABLES, SEATS, stack=STACK)
        if not sealed:
            _deal_from_seeds(tables)
    played = PlayedTables(tables, sealed=sealed)

    def play(hands: int) -> Costs:
        before, own = usages(servers), dict(played.cpu_s)
        with stored_as():
            played.play(hands)
        used: dict[str, Usage] = since(before, usages(servers))
        spent = {part: played.cpu_s[part] - own[part] for part in PARTS}
        spent["servers"] = sum(one.cpu_s for one in used.values())
        return {part: cpu_s * 1_000 / hands for part, cpu_s in spent.items()}

    return play


def _deal_from_seeds(tables: Sequence[int]) -> None:
    """Give tables a seed before their first hand, as a settle worker of a research room does."""
    from msgspec.structs import replace

    from config.redis import room
    from tables.store import fenced

    for table in tables:
        loaded = fenced.load(room(), table)
        assert loaded is not None and not loaded.state.has_next_deck
        assert fenced.commit(room(), loaded, replace(loaded.state, seed="7"), (), drained=0)


@contextmanager
def _without_boxes() -> Iterator[None]:
    """Store states and records of hands whole and in plain, as releases before deck keys did."""
    from tables.dealer import record
    from tables.dealer import state as states
    from tables.records import stored
    from tables.store import hidden_states

    plain: list[tuple[Any, str, Callable[..., Any]]] = [
        (stored, "encode", record.encode),
        (hidden_states, "encode", lambda state, carried=None: states.encode(state)),
        (hidden_states, "decode", states.decode),
        (hidden_states, "decode_open", states.decode),
        (hidden_states, "decode_carried", lambda raw: (states.decode(raw), None)),
    ]
    kept = [(module, name, getattr(module, name)) for module, name, _ in plain]
    try:
        for module, name, function in plain:
            setattr(module, name, function)
        yield
    finally:
        for module, name, function in kept:
            setattr(module, name, function)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
