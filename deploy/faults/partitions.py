"""Partitions between machines of a room: cut, heal, and the measured recovery."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from deploy.measuring.pulse import Fault, Pulse
from deploy.processes import namespaces
from deploy.processes.machines import Machines
from deploy.processes.roster import MACHINES

ONE_WAY = ">"
"""Separator of two machines with one direction cut."""

WATCHED_S = 3.0
STEADY_S = 1.0
GIVEN_UP_S = 60.0
"""Longest silence of a table in s after the heal; a longer one is a violation."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Pair of machines cut off from each other: start in s after play began, duration in s.

    With `one_way` packets from the first do not reach the second, but those back arrive.
    """

    between: tuple[str, str]
    after_s: float
    lasts_s: float
    one_way: bool = False

    @property
    def name(self) -> str:
        """Return the name in the report, e.g. "workers-data", one way only "data>workers"."""
        return (ONE_WAY if self.one_way else "-").join(self.between)


def cut(text: str) -> Cut:
    """Read MACHINE-MACHINE:AFTER:SECONDS, or with ">" for one way; raise ValueError otherwise.

    The error names the allowed form.
    """
    try:
        between, after, lasts = text.split(":")
        one_way = ONE_WAY in between
        one, other = between.split(ONE_WAY if one_way else "-")
        wanted = Cut((one, other), float(after), float(lasts), one_way)
    except ValueError:
        wanted = Cut(("", ""), 0.0, 0.0)
    known = set(wanted.between) <= set(MACHINES) and len(set(wanted.between)) == 2
    if not known or not 0 <= wanted.after_s < 1e6 or not 0 < wanted.lasts_s < 1e6:
        raise ValueError(
            f"{text!r} is not MACHINE-MACHINE:AFTER:SECONDS (or MACHINE>MACHINE for one way),"
            f" machines being {', '.join(MACHINES)}"
        )
    return wanted


def in_order(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return cuts by time; raise ValueError when two of them overlap."""
    ordered = tuple(sorted(cuts, key=lambda one: one.after_s))
    for before, after in pairwise(ordered):
        if before.after_s + before.lasts_s >= after.after_s:
            raise ValueError(f"{after.name} would be cut before {before.name} was healed")
    return ordered


class Partitions:
    """Runner of cuts, one after the other; `look` is called repeatedly."""

    def __init__(
        self,
        cuts: Sequence[Cut],
        machines: Machines,
        pulse: Pulse,
        *,
        divide: Callable[[Sequence[namespaces.Command]], object] = namespaces.run,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._waiting = list(in_order(cuts))
        self._machines = machines
        self._pulse = pulse
        self._divide = divide
        self._clock = clock
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
        """Return the recovery of each cut in seconds: see docs/operations.md."""
        return [
            {
                "between": one.name,
                "after_s": one.after_s,
                "lasted_s": round(healed.at_s - fault.at_s, 1),
                "tables": len(fault.stood_s),
                "stood_s": _most(fault.stood_s.values()),
                "stood_after_heal_s": _most(healed.stood_s.values()),
            }
            for one, fault, healed in self._seen
        ]

    def violations(self) -> list[str]:
        """Return cuts that were not made, and tables without play after a heal, as sentences."""
        wrong = [f"{one.name} was not cut: the tournament was over" for one in self._waiting]
        for one, _, healed in self._seen:
            if healed.waiting:
                tables = ", ".join(sorted(healed.waiting))
                wrong.append(f"not recovered from the cut {one.name}: {tables}")
        return wrong

    def _begin(self, one: Cut) -> None:
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
        first, second = (self._machines.named[name] for name in one.between)
        if one.one_way:
            return namespaces.mute(first, second, cut=cut)
        return namespaces.divide([first, second], cut=cut)


def _is_past(healed: Fault, now_s: float) -> bool:
    since_s = now_s - healed.at_s
    return since_s > GIVEN_UP_S or (since_s > WATCHED_S and healed.steady(now_s, STEADY_S))


def _most(values: Any) -> float | None:
    return round(max(values), 2) if values else None
