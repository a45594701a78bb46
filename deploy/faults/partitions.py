"""Cuts machines of a room off from each other for a while, heals, and measures what it cost."""

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
"""Stands between two machines of which only the second is heard."""

WATCHED_S = 3.0
STEADY_S = 1.0
GIVEN_UP_S = 60.0
"""A table that tells nothing for so long after the heal is a violation."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Two machines that do not reach each other, from when (s after play began), how long (s).

    One way only: nothing reaches the second from the first, which hears and is not heard.
    """

    between: tuple[str, str]
    after_s: float
    lasts_s: float
    one_way: bool = False

    @property
    def name(self) -> str:
        """How the report calls it, e.g. "workers-data", one way only "data>workers"."""
        return (ONE_WAY if self.one_way else "-").join(self.between)


def cut(text: str) -> Cut:
    """Read MACHINE-MACHINE:AFTER:SECONDS, or with ">" for one way; raises ValueError if it is not.

    The error says what is allowed.
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
    """Cuts by time; raises ValueError when two of them are at the same time."""
    ordered = tuple(sorted(cuts, key=lambda one: one.after_s))
    for before, after in pairwise(ordered):
        if before.after_s + before.lasts_s >= after.after_s:
            raise ValueError(f"{after.name} would be cut before {before.name} was healed")
    return ordered


class Partitions:
    """Carries out cuts one after the other; `look` is called again and again."""

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

    def look(self) -> None:
        """Cut and heal what is due."""
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
        """Heal what is cut and measure no more."""
        if self._cut is not None:
            self._heal()
        for known in list(self._healed):
            self._settle(known)

    def report(self) -> list[dict[str, Any]]:
        """What each cut cost, in seconds: see docs/operations.md."""
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
        """Cuts that were never made, and tables that did not go on after a heal."""
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
