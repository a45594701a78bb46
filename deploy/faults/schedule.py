"""Schedule of faults of a room, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Action = Literal["kill", "stop", "term", "empty", "cut", "stall", "reset", "lose"]

STOP_LEAST_S = 0.5
STOP_MOST_S = 6.0
LOST_LEAST_S = 4.0
LOST_MOST_S = 12.0
"""A node is missed after 2 s, so that its replica takes over before it is back."""

KILL_A_WORKER: tuple[str, Action] = ("worker", "kill")

WEIGHTS: dict[tuple[str, Action], int] = {
    ("worker", "kill"): 24,
    ("worker", "stop"): 8,
    ("worker", "term"): 6,
    ("web", "kill"): 6,
    ("web", "stop"): 3,
    ("web", "term"): 3,
    ("bots", "kill"): 4,
    ("bots", "stop"): 2,
    ("bots", "term"): 2,
    ("room", "kill"): 4,
    ("room", "stop"): 3,
    ("room", "term"): 2,
    ("room", "empty"): 2,
    ("machine", "reset"): 2,
    ("broker", "kill"): 3,
    ("broker", "stop"): 2,
    ("broker", "term"): 2,
    ("postgres", "kill"): 3,
    ("postgres", "stop"): 2,
    ("postgres", "term"): 2,
    ("lines", "cut"): 10,
    ("lines", "stall"): 4,
}
"""Weights of the kinds of faults in the draw."""

CLUSTER_WEIGHTS: dict[tuple[str, Action], int] = {**WEIGHTS, ("room", "lose"): 6}
"""Weights in a room with a Redis Cluster, where a lost node has a replica."""

SPANS_S = {"stop": (STOP_LEAST_S, STOP_MOST_S), "lose": (LOST_LEAST_S, LOST_MOST_S)}
"""Least and greatest duration of the actions that last."""


@dataclass(frozen=True, slots=True)
class Harm:
    """Fault: its kind, its kind of process, its start and duration in s."""

    at_s: float
    kind: str
    action: Action
    lasts_s: float = 0.0

    @property
    def name(self) -> str:
        """Return the name in the report, e.g. "kill worker"."""
        return f"{self.action} {self.kind}"


def schedule(
    chance: random.Random,
    *,
    per_minute: float,
    worker_kills_per_s: float,
    duration_s: float,
    weights: Mapping[tuple[str, Action], int] = WEIGHTS,
) -> Iterator[Harm]:
    """Return faults of all kinds at random times, and kills of workers beside them."""
    mixed = _times(chance, per_minute / 60, duration_s)
    kills = _times(chance, worker_kills_per_s, duration_s)
    what: list[tuple[str, Action]] = chance.choices(
        list(weights), list(weights.values()), k=len(mixed)
    )
    drawn = [*zip(mixed, what, strict=True), *((at_s, KILL_A_WORKER) for at_s in kills)]
    for at_s, (kind, action) in sorted(drawn):
        lasts_s = chance.uniform(*SPANS_S[action]) if action in SPANS_S else 0.0
        yield Harm(at_s, kind, action, lasts_s)


def _times(chance: random.Random, per_s: float, duration_s: float) -> list[float]:
    times: list[float] = []
    at_s = 0.0
    while per_s > 0:
        at_s += chance.expovariate(per_s)
        if at_s >= duration_s:
            break
        times.append(at_s)
    return times
