"""Judging of an upgrade drill, and its printed table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WENT_ON_WITHIN_S = 15.0
"""Longest silence that a table may have while one process is replaced."""

UNREADABLE = frozenset({"table state unreadable", "decided hand unreadable", "command dropped"})
"""Records of a log that mean one release cannot read what the other wrote."""

SEEN_MAX = 5
"""Records of the same kind that are shown in full."""


def violations(report: Mapping[str, Any]) -> list[str]:
    """Return what a drill's report shows that must not be, in sentences."""
    return [
        *(line for step in report["steps"] for line in _of_step(step)),
        *(
            f"tournament {game['tournament']}: {line}"
            for game in report["tournaments"]
            for line in game["violations"]
        ),
        *_of_logs(report["errors"]),
        *(f"audit: {line}" for line in report["audit"]),
        *report["crashes"],
        *([] if report["tournaments"] else ["no tournament was played"]),
    ]


def table(report: Mapping[str, Any]) -> str:
    """Return the steps of a drill as a table, and a line for each tournament."""
    head = ("process", "release", "stop s", "ready s", "tables", "silence s")
    rows = [
        (
            step["process"], step["release"], _seconds(step["stop_s"]), _seconds(step["ready_s"]),
            str(step["tables"]), _seconds(step["silence_s"]),
        )
        for step in report["steps"]
    ]  # fmt: skip
    lines = _aligned([head, *rows])
    lines += [
        f"tournament {game['tournament']} of {game['offered_by']}: {game['state']}, hands"
        f" {game['hands']}, actions {game['actions']}, paid {game['paid']} of {game['pool']},"
        f" void {len(game['void'])}, fates {game['histories']['fates']}"
        for game in report["tournaments"]
    ]
    seen = {event: len(records) for event, records in report["errors"].items()}
    lines.append(f"errors in logs: {seen or 'none'}")
    wrong = violations(report)
    lines += ["NOT RIGHT:", *(f"  {line}" for line in wrong[:30])] if wrong else ["all right"]
    return "\n".join(lines)


def _of_step(step: Mapping[str, Any]) -> Iterable[str]:
    where = f"{step['process']} by {step['release']}"
    if not step["tables"]:
        yield f"{where}: no table was in play, so it shows nothing"
    if step["killed"]:
        yield f"{where}: did not stop by itself"
    if step["waiting"]:
        yield f"{where}: did not go on: {', '.join(step['waiting'])}"
    if (step["silence_s"] or 0.0) > WENT_ON_WITHIN_S:
        yield f"{where}: a table was silent for {step['silence_s']} s"
    yield from (f"{where}: {line}" for line in step["pages"])


def _of_logs(errors: Mapping[str, Sequence[str]]) -> Iterable[str]:
    for event, records in errors.items():
        kind = "unreadable" if event in UNREADABLE else "error"
        for record in records[:SEEN_MAX]:
            yield f"{kind} in a log, {len(records)} times: {record[:400]}"


def summary(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sums of a drill: hands, actions, fates, the longest silence, violations."""
    fates: Counter[str] = Counter()
    for game in report["tournaments"]:
        fates.update(game["histories"]["fates"])
    silences = [step["silence_s"] or 0.0 for step in report["steps"]]
    return {
        "hands": sum(game["hands"] for game in report["tournaments"]),
        "actions": sum(game["actions"] for game in report["tournaments"]),
        "fates": dict(fates),
        "void": [hand for game in report["tournaments"] for hand in game["void"]],
        "unreadable": sum(len(report["errors"].get(event, ())) for event in UNREADABLE),
        "silence_s": max(silences, default=None),
        "violations": violations(report),
    }


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
