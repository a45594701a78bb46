"""Measured numbers: printed as a table, and kept in .local/bench.json as name -> number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

FILE = Path(".local/bench.json")


def note(numbers: Mapping[str, float]) -> None:
    """Print the numbers and add them to those of earlier measurements."""
    known: dict[str, float] = json.loads(FILE.read_text()) if FILE.exists() else {}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(known | dict(numbers), indent=2, sort_keys=True) + "\n")
    width = max(map(len, numbers))
    print()
    for name, number in numbers.items():
        print(f"  {name:<{width}}  {number:>12,.1f}")
