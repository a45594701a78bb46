"""Files of exported hands: one a table, written hand by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TextIO

from tables.history.exports import ohh, phh, pokerstars
from tables.history.exports.hand import ExportedHand


class ExportFormat(NamedTuple):
    """A format of files: ending of their names, and the text of hand number `count` in its file."""

    ending: str
    text: Callable[[ExportedHand, int], str]


def _phh(hand: ExportedHand, count: int) -> str:
    """Return a hand as a table of a collection, which starts with its number in the file."""
    return f"[{count}]\n{phh.written(hand)}\n"


def _ndjson(hand: ExportedHand, count: int) -> str:
    """Return the fields of PHH as one line of JSON; fields without a value are left out."""
    fields = {key: value for key, value in phh.fields(hand).items() if value is not None}
    return json.dumps(fields, ensure_ascii=False, default=str) + "\n"


FORMATS: dict[str, ExportFormat] = {
    "ohh": ExportFormat("ohh", lambda hand, _: f"{ohh.written(hand)}\n"),
    "phh": ExportFormat("phhs", _phh),
    "ndjson": ExportFormat("ndjson", _ndjson),
    "pokerstars": ExportFormat("txt", lambda hand, _: f"{pokerstars.written(hand)}\n\n\n"),
}
"""Formats by the name that commands take."""


def write_files(hands: Iterable[ExportedHand], directory: Path, form: str) -> Iterator[int]:
    """Write hands, sorted by table, into the directory; yield their number after each hand.

    Raises OSError.
    """
    ending, text = FORMATS[form]
    table, count = 0, 0
    with ExitStack() as opened:
        file: TextIO | None = None
        for total, hand in enumerate(hands, start=1):
            if file is None or hand.table != table:
                opened.close()
                table, count = hand.table, 0
                path = directory / f"table-{table}.{ending}"
                file = opened.enter_context(path.open("x", encoding="utf-8", newline="\n"))
            count += 1
            file.write(text(hand, count))
            yield total
