"""Plan of a chaos run, and the record from which its report is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.measuring.pulse import Fault


@dataclass(frozen=True, slots=True)
class ChaosPlan:
    """Duration, intensity and field of a chaos run.

    A table of a tournament without an event for `recovers_s` after a fault is a violation.
    `ring` bots play ring games beside the tournaments.
    """

    minutes: float
    seed: int
    per_minute: float
    worker_kills_per_s: float
    tournaments: int
    players: int
    report: Path | None
    history: Path
    within_s: float
    recovers_s: float
    ring: int = 0
    way: str = "browsers"
    """Kind of the players of tournaments: people's browsers, or programs that only play."""


@dataclass
class ChaosRecord:
    """Results of a run for its report."""

    harms: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    faults: list[Fault] = field(default_factory=list)
    unrecovered: list[str] = field(default_factory=list)
    tournaments: list[int] = field(default_factory=list)
    swarm_reports: list[Path] = field(default_factory=list)
    injected_s: float = 0.0
    ring: dict[str, Any] = field(default_factory=dict)
    defects: list[str] = field(default_factory=list)
