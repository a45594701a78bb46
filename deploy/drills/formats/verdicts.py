"""Verdicts on the reports of formats: missing expected results, and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.drills.formats.run import FormatRun, Wanted

COLUMNS: Mapping[str, str] = {
    "players": "players",
    "entries": "entries",
    "late": "happened.late_entries",
    "re-buys": "happened.rebuys",
    "re-entries": "happened.reentries",
    "add-ons": "happened.add_ons",
    "merged": "happened.merged",
    "tickets used": "happened.tickets_used",
    "won": "happened.tickets_won",
    "bounties": "bounties.won",
    "deal": "happened.deal",
    "hands": "hands",
    "pool": "pool",
    "paid": "paid",
    "overlay": "happened.overlay",
    "seconds": "duration_s",
}
"""Columns of the table and the paths of their values in a report."""
_MONEY = frozenset({"bounties", "pool", "paid", "overlay"})


def missing(run: FormatRun, report: Mapping[str, Any]) -> list[str]:
    """Return each expected result of the run that did not happen, as a sentence."""
    return [
        f"{path} is {found!r}, not {_words(wanted)}"
        for path, wanted in run.wants.items()
        if not _satisfies(found := at(report, path), wanted)
    ]


def at(report: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path of names joined by points; None without one."""
    value: Any = report
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def table(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the reports by run name as a table, one row each, columns aligned."""
    rows = [["format", *COLUMNS, "violations"]]
    rows += [[name, *_row(report)] for name, report in reports.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_line(row, widths) for row in rows)


def _row(report: Mapping[str, Any]) -> list[str]:
    cells = [_cell(head, at(report, path)) for head, path in COLUMNS.items()]
    return [*cells, str(len(report["violations"]))]


def _cell(head: str, value: Any) -> str:
    if value is None:
        return "?"
    if value in ("", 0):
        return "-"
    if head in _MONEY:
        return f"{value / 100:.2f}"
    return f"{value:.0f}" if isinstance(value, float) else str(value)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])


def _satisfies(found: Any, wanted: Wanted) -> bool:
    if isinstance(wanted, bool | str):
        return bool(found == wanted)
    return isinstance(found, int) and found >= wanted


def _words(wanted: Wanted) -> str:
    return repr(wanted) if isinstance(wanted, bool | str) else f"{wanted} or more"
