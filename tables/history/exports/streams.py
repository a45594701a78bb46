"""Many finished hands as a stream: JSON lines, or a zip file with a file for each table."""

from __future__ import annotations

import zipfile
from array import array
from collections.abc import Iterator

from django.db.models import QuerySet

from tables.history.exports.files import FORMATS
from tables.history.exports.hand import ExportedHand
from tables.history.exports.rows import ROWS_AT_ONCE, all_exported
from tables.models import Hand


def chosen(rows: QuerySet[Hand]) -> array[int]:
    """Return the keys of hands by table and number, eight bytes each."""
    ordered = rows.order_by("table_id", "number").values_list("pk", flat=True)
    return array("q", ordered.iterator())


def in_order(keys: array[int]) -> Iterator[Hand]:
    """Yield the hands of these keys with their tables, some rows in memory at once."""
    for first in range(0, len(keys), ROWS_AT_ONCE):
        wanted = keys[first : first + ROWS_AT_ONCE]
        found = Hand.objects.select_related("table").in_bulk(wanted.tolist())
        yield from (found[key] for key in wanted if key in found)


def json_lines(keys: array[int], user: int | None) -> Iterator[bytes]:
    """Yield one line of JSON for each hand, as a user was shown it (None: the public)."""
    text = FORMATS["ndjson"].text
    for count, hand in enumerate(all_exported(in_order(keys), user), start=1):
        yield text(hand, count).encode()


def zipped(keys: array[int], user: int | None, form: str) -> Iterator[bytes]:
    """Yield a zip file with one file of hands for each table, in a folder for each game."""
    sink = _Sink()
    hands = all_exported(in_order(keys), user)
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as packed:
        held = next(hands, None)
        while held is not None:
            table, count = held.kept.table, 0
            with packed.open(_name(held, form), "w", force_zip64=True) as file:
                while held is not None and held.kept.table == table:
                    count += 1
                    file.write(FORMATS[form].text(held, count).encode())
                    yield sink.taken()
                    held = next(hands, None)
    yield sink.taken()


def _name(hand: ExportedHand, form: str) -> str:
    kind = "game" if hand.game.tournament is None else "tournament"
    return f"{kind}-{hand.kept.game}/table-{hand.table}.{FORMATS[form].ending}"


class _Sink:
    """Bytes of a zip file on their way to a reader; it cannot seek back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        """Keep bytes until they are taken."""
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Keep nothing back."""

    def close(self) -> None:
        """Have nothing to close."""

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        told = b"".join(self._parts)
        self._parts.clear()
        return told
