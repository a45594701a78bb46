"""Partitions between machines of a room: cut, heal, and the measured recovery."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from deploy.measuring.pulse import Fault, Pulse
from deploy.processes import namespaces
from deploy.processes.machines import Machines
from deploy.processes.roster import MACHINES
from tables.store import keys

ONE_WAY = ">"
"""Separator of two machines with one direction cut."""

AND = "+"
"""Separator of the machines of one side."""

WATCHED_S = 3.0
STEADY_S = 1.0
GIVEN_UP_S = 60.0
"""Longest silence of a table in s after the heal; a longer one is a violation."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Machines cut off from each other: start in s after play began, duration in s.

    Each of `some` is cut off from each of `others`; without others a machine is cut off from all.
    With `one_way` packets from the first do not reach the second, but those back arrive.
    """

    some: tuple[str, ...]
    others: tuple[str, ...]
    after_s: float
    lasts_s: float
    one_way: bool = False

    @property
    def name(self) -> str:
        """Return the name in the report: "workers-data", "data>workers" one way, "data1" alone."""
        sides = [AND.join(side) for side in (self.some, self.others) if side]
        return (ONE_WAY if self.one_way else "-").join(sides)

    def divides(self, one: str, other: str) -> bool:
        """Return whether two machines no longer hear each other, or only one the other."""
        if one == other:
            return False
        if not self.others:
            return not {one, other}.isdisjoint(self.some)
        return any(
            first in self.some and second in self.others
            for first, second in ((one, other), (other, one))
        )


def cut(text: str, machines: Collection[str] = MACHINES) -> Cut:
    """Read MACHINE-MACHINE:AFTER:SECONDS and its other forms; raise ValueError otherwise.

    ">" is one way, a machine alone is cut off from all, and "+" joins machines to one side. The
    error names the allowed forms.
    """
    try:
        between, after, lasts = text.split(":")
        one_way = ONE_WAY in between
        some, *others = (tuple(side.split(AND)) for side in _sides(between, one_way))
        wanted = Cut(some, others[0] if others else (), float(after), float(lasts), one_way)
    except ValueError:
        wanted = Cut((), (), 0.0, 0.0)
    named = [*wanted.some, *wanted.others]
    known = {*named} <= {*machines} and len(named) == len({*named}) >= 1
    if not wanted.others and len(wanted.some) > 1:
        known = False  # they would be cut off from each other as well
    if not known or not 0 <= wanted.after_s < 1e6 or not 0 < wanted.lasts_s < 1e6:
        raise ValueError(
            f"{text!r} is not MACHINE-MACHINE:AFTER:SECONDS (or MACHINE>MACHINE for one way,"
            f" MACHINE for one cut off from all, MACHINE-MACHINE+MACHINE for one from several),"
            f" machines being {', '.join(machines)}"
        )
    return wanted


def _sides(between: str, one_way: bool) -> list[str]:
    """Return the text of one side or of two; raise ValueError when there are more, or too few."""
    sides = between.split(ONE_WAY if one_way else "-")
    if len(sides) > 2:
        raise ValueError(between)
    return sides


def outvoted(voters: Mapping[str, str], one: Cut) -> set[str]:
    """Return the voters, given with their machines, that a cut leaves half of the votes or less."""
    return {
        voter
        for voter, machine in voters.items()
        if 2 * sum(not one.divides(machine, there) for there in voters.values()) <= len(voters)
    }


def in_order(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return cuts by time; raise ValueError when two of them overlap."""
    ordered = tuple(sorted(cuts, key=lambda one: one.after_s))
    for before, after in pairwise(ordered):
        if before.after_s + before.lasts_s >= after.after_s:
            raise ValueError(f"{after.name} would be cut before {before.name} was healed")
    return ordered


class Partitions:
    """Runner of cuts, one after the other; `cut_and_heal` is called repeatedly.

    `endangers` tells before a cut which of the `shards` it may cost; without it the report has
    none.
    """

    def __init__(
        self,
        cuts: Sequence[Cut],
        machines: Machines,
        pulse: Pulse,
        *,
        divide: Callable[[Sequence[namespaces.Command]], object] = namespaces.run,
        clock: Callable[[], float] = time.monotonic,
        endangers: Callable[[Cut], frozenset[int]] | None = None,
        shards: int = 1,
    ) -> None:
        self._waiting = list(in_order(cuts))
        self._machines = machines
        self._pulse = pulse
        self._divide = divide
        self._clock = clock
        self._endangers = endangers
        self._shards = shards
        self._endangered: dict[Cut, frozenset[int]] = {}
        self._began_s: float | None = None
        self._cut: tuple[Cut, Fault] | None = None
        self._healed: list[tuple[Cut, Fault, Fault]] = []
        self._seen: list[tuple[Cut, Fault, Fault]] = []

    def cut_and_heal(self) -> None:
        """Cut and heal where due."""
        now_s = self._clock()
        if self._began_s is None:
            if not self._pulse.tables:
                return
            self._began_s = now_s
        for known in list(self._healed):
            if _is_past(known[2], now_s):
                self._settle(known)
        if self._cut is not None:
            if now_s >= self._cut[1].at_s + self._cut[0].lasts_s:
                self._heal()
        elif self._waiting and now_s >= self._began_s + self._waiting[0].after_s:
            self._begin(self._waiting.pop(0))

    def finish(self) -> None:
        """Heal the current cut and stop measuring."""
        if self._cut is not None:
            self._heal()
        for known in list(self._healed):
            self._settle(known)

    def report(self) -> list[dict[str, Any]]:
        """Return the recovery of each cut in seconds: see docs/machines.md."""
        return [
            {
                "between": one.name,
                "after_s": one.after_s,
                "lasted_s": round(healed.at_s - fault.at_s, 1),
                "tables": len(fault.stood_s),
                "stood_s": _most(fault.stood_s.values()),
                "stood_after_heal_s": _most(healed.stood_s.values()),
                **self._by_shard(one, fault),
            }
            for one, fault, healed in self._seen
        ]

    def _by_shard(self, one: Cut, fault: Fault) -> dict[str, Any]:
        """Return the shards that a cut endangers, and the longest silence in each; else nothing."""
        if one not in self._endangered:
            return {}
        silences = defaultdict[int, list[float]](list)
        for table, stood_s in fault.stood_s.items():
            silences[keys.shard(table, self._shards)].append(stood_s)
        return {
            "shards": sorted(self._endangered[one]),
            "stood_s_by_shard": {shard: _most(silences[shard]) for shard in sorted(silences)},
        }

    @property
    def endangered(self) -> frozenset[int]:
        """Return the shards whose hands the cuts so far may have made void."""
        return frozenset().union(*self._endangered.values())

    def violations(self) -> list[str]:
        """Return cuts that were not made, and tables without play after a heal, as sentences."""
        wrong = [f"{one.name} was not cut: the tournament was over" for one in self._waiting]
        for one, _, healed in self._seen:
            if healed.waiting:
                tables = ", ".join(sorted(healed.waiting))
                wrong.append(f"not recovered from the cut {one.name}: {tables}")
        return wrong

    def _begin(self, one: Cut) -> None:
        if self._endangers is not None:
            self._endangered[one] = self._endangers(one)
        fault = self._pulse.begin(f"cut {one.name}")
        self._divide(self._commands(one, cut=True))
        self._cut = (one, fault)

    def _heal(self) -> None:
        assert self._cut is not None
        one, fault = self._cut
        self._cut = None
        self._divide(self._commands(one, cut=False))
        self._healed.append((one, fault, self._pulse.begin(f"heal {one.name}")))

    def _settle(self, known: tuple[Cut, Fault, Fault]) -> None:
        self._pulse.end(known[1])
        self._pulse.end(known[2])
        self._healed.remove(known)
        self._seen.append(known)

    def _commands(self, one: Cut, *, cut: bool) -> list[namespaces.Command]:
        some, others = (
            [self._machines.named[name] for name in side] for side in (one.some, one.others)
        )
        if not others:
            return namespaces.unplug(some[0], cut=cut)
        if one.one_way:
            pairs = [(speaker, listener) for speaker in some for listener in others]
            return [part for pair in pairs for part in namespaces.mute(*pair, cut=cut)]
        if len(some) == len(others) == 1:
            return namespaces.divide([*some, *others], cut=cut)
        return namespaces.separate(some, others, cut=cut)


def _is_past(healed: Fault, now_s: float) -> bool:
    since_s = now_s - healed.at_s
    return since_s > GIVEN_UP_S or (since_s > WATCHED_S and healed.steady(now_s, STEADY_S))


def _most(values: Any) -> float | None:
    return round(max(values), 2) if values else None
