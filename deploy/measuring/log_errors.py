"""Errors in the logs of a room, and those among them that no lost server explains."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DEFECTS = frozenset(
    {
        *("ArithmeticError", "AssertionError", "AttributeError", "ImportError", "IndexError"),
        *("KeyError", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError"),
        *("NotImplementedError", "OverflowError", "RecursionError", "RuntimeError", "TypeError"),
        *("UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "ValueError"),
        *("ZeroDivisionError", "DecodeError", "ValidationError"),
        *("DataError", "IntegrityError", "ProgrammingError"),
    }
)
"""Names of exceptions that a fault of the code raises, and a lost server does not."""

_RAISED = re.compile(r"^(?: *\| *)?(?:\w+\.)*([A-Z][a-z]\w*)(?::.*)?$", re.MULTILINE)
_NUMBER = re.compile(r"\b0x[0-9a-f]+|\b[0-9a-f-]{36}|\d+")
SHOWN_MAX = 300
"""Characters of an exception that are shown."""


class LogMarks:
    """Lengths of the logs of a room, from which on they are read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lengths = {path: path.stat().st_size for path in folder.glob("*.log")}

    def errors(self) -> dict[str, list[str]]:
        """Return the records of level error or higher since the marks, by their event."""
        found: dict[str, list[str]] = {}
        for path, raw, record in self._records():
            found.setdefault(str(record.get("event")), []).append(f"{path.stem}: {raw.strip()}")
        return found

    def take_defects(self) -> list[str]:
        """Return a line for each kind of DEFECTS in each log, and set the marks to the ends."""
        found: Counter[str] = Counter()
        for path, _, record in self._records():
            said = str(record.get("exception"))
            raised = list(_RAISED.finditer(said))
            if raised and raised[-1][1] in DEFECTS:
                event = _NUMBER.sub("#", str(record.get("event"))).partition("\n")[0]
                found[f"{path.stem}: {event}: {raised[-1][0].strip()[:SHOWN_MAX]}"] += 1
        self._lengths = LogMarks(self._folder)._lengths
        return [f"{times} times in a log, {line}" for line, times in found.items()]

    def _records(self) -> Iterator[tuple[Path, str, dict[str, Any]]]:
        for path in sorted(self._folder.glob("*.log")):
            with path.open("rb") as file:
                file.seek(self._lengths.get(path, 0))
                for raw in file:
                    record = _record(raw)
                    if record.get("level") in ("error", "critical"):
                        yield path, raw.decode(), record


def _record(raw: bytes) -> dict[str, Any]:
    try:
        record = json.loads(raw)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
