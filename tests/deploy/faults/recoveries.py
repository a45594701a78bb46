"""Recovery times in seconds, printed as a table and kept in `.local/recovery.json`."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from config.environment import HOME
from deploy.measuring.pulse import Fault
from tests.deploy.measuring import machine

KEPT = Path(HOME) / ".local" / "recovery.json"


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovery from one fault: seconds to a table's next event, longest silence, and limit.

    `others` is the share of the processors taken by other programs meanwhile; `quiet` is true when
    the promised limit applies.
    """

    fault: str
    tables: int
    next_p50_s: float
    next_max_s: float
    stood_p50_s: float
    stood_max_s: float
    promised_s: float
    limit_s: float
    others: float
    quiet: bool


def of(fault: Fault, promised_s: float, others: float) -> Recovery:
    """Return the recovery from a completed fault."""
    assert fault.over, f"{fault.name}: nothing new from {sorted(fault.waiting)}"
    return _recovery(
        fault.name, list(fault.next_s.values()), list(fault.stood_s.values()), promised_s, others
    )


def of_times(name: str, took_s: Iterable[float], promised_s: float, others: float) -> Recovery:
    """Return the recovery for seconds measured otherwise, e.g. until an answer."""
    times = list(took_s)
    return _recovery(name, times, times, promised_s, others)


def keep(found: Recovery) -> Recovery:
    """Write a recovery into the file beside those of other faults, and print it."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    known[found.fault] = asdict(found)
    KEPT.write_text(json.dumps(known, indent=2) + "\n")
    print(_line(found))  # noqa: T201
    return found


def _recovery(
    name: str, next_s: list[float], stood_s: list[float], promised_s: float, others: float
) -> Recovery:
    assert next_s, f"{name}: tables were in play"
    return Recovery(
        fault=name,
        tables=len(next_s),
        next_p50_s=round(statistics.median(next_s), 2),
        next_max_s=round(max(next_s), 2),
        stood_p50_s=round(statistics.median(stood_s), 2),
        stood_max_s=round(max(stood_s), 2),
        promised_s=promised_s,
        limit_s=round(machine.limit_s(promised_s, others), 2),
        others=round(others, 2),
        quiet=others <= machine.QUIET_SHARE,
    )


def _line(found: Recovery) -> str:
    return (
        f"\n  {found.fault:<28} tables {found.tables}"
        f"  next event p50 {found.next_p50_s:.2f} max {found.next_max_s:.2f} s"
        f"  stood p50 {found.stood_p50_s:.2f} max {found.stood_max_s:.2f} s"
        f"  limit {found.limit_s:.2f} s"
        + ("" if found.quiet else f" ({found.promised_s:g} s, but others took {found.others:.0%})")
    )
