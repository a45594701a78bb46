"""Figures of a run of mutants, as the table of docs/simulation.md."""

from __future__ import annotations

from collections.abc import Sequence

from tests.mutants.copies import Verdict

HEADS = ("area", "mutants", "killed", "not killed", "seconds")


def table(verdicts: Sequence[Verdict], elapsed_s: float) -> str:
    """Return a Markdown table by area, with seconds of tests and the total wall time."""
    rows = [HEADS, tuple("---" for _ in HEADS)]
    for area in dict.fromkeys(one.mutant.area for one in verdicts):
        own = [one for one in verdicts if one.mutant.area == area]
        rows.append(_row(area, own, sum(one.seconds for one in own)))
    rows.append(_row("all", verdicts, elapsed_s))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(name: str, verdicts: Sequence[Verdict], seconds: float) -> tuple[str, ...]:
    killed = sum(one.is_right for one in verdicts)
    counts = (len(verdicts), killed, len(verdicts) - killed, round(seconds))
    return (name, *(str(count) for count in counts))
