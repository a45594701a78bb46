"""Law of run-outs: events are published and hands settled only after their display time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.db.models import Max

from tables.dealer.state import TableState
from tables.models import DecidedHand, Hand
from tables.records import stored

RESULT = {b"cards_shown", b"mucked", b"pot_awarded", b"hand_ended"}
_TYPE = re.compile(rb'"type":"(\w+)"')
_STREET = re.compile(rb'"street":"(\w+)"')

Line = tuple[str, bytes]


def on_the_stream(
    before: TableState, now: TableState, lines: Sequence[Line], now_ms: int
) -> Iterator[str]:
    """Yield events between two looks at a table in one epoch that came too early."""
    if before.run_out is None:
        yield from _at_once(now, lines)
        return
    plan = before.run_out.told
    due_ms = {street.street: street.at_ms for street in plan.streets}
    for line_id, raw in lines:
        kind = _kind(raw)
        wanted_ms = 0
        if kind in RESULT:
            wanted_ms = plan.released_at_ms
        elif kind == b"street_dealt" and (street := _STREET.search(raw)):
            wanted_ms = due_ms.get(street[1].decode(), 0)  # type: ignore[arg-type]
        if now_ms < wanted_ms:
            early_ms = wanted_ms - now_ms
            yield f"table {now.table} {line_id}: {kind.decode()} was told {early_ms} ms too early"


def _at_once(now: TableState, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a result that came together with the hands although a pause is due between them."""
    kinds = {_kind(raw) for _, raw in lines}
    if now.timing and now.timing.street_pause_ms and kinds >= {b"hands_revealed", b"hand_ended"}:
        yield f"table {now.table} hand {now.hand_number}: the result was told with the hands"


def in_the_rows(latest_ms: int) -> Iterator[str]:
    """Yield settled hands with a release time after `latest_ms`."""
    released = Hand.objects.aggregate(last=Max("released_at"))["last"]
    if released is not None and released.timestamp() * 1_000 > latest_ms + 1:
        yield f"a hand that is released at {released} is settled"


class DecidedLaw:
    """Memory of hands that are decided and kept in PostgreSQL, as Redis says."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], TableState] = {}
        self._last: dict[int, TableState] = {}
        self._lost: set[tuple[int, int, int]] = set()

    def saw(self, state: TableState) -> None:
        """Remember the hand of a table while it is shown, if it is kept."""
        if state.run_out is None or not state.run_out.kept:
            return
        self._last[state.table] = state
        if (state.table, state.epoch, state.hand_number) not in self._lost:
            self._kept.setdefault((state.table, state.hand_number), state)

    def set_back(self) -> None:
        """Forget the hands that a PostgreSQL lost: they are played again under the same number.

        Redis calls such a hand kept until its table has a new epoch.
        """
        kept = set(DecidedHand.objects.values_list("table", "number"))
        self._kept = {name: state for name, state in self._kept.items() if name in kept}
        self._lost = {
            (state.table, state.epoch, state.hand_number)
            for state in self._last.values()
            if (state.table, state.hand_number) not in kept
        }

    def found(self) -> Iterator[str]:
        """Yield hands that were kept as decided and settled otherwise."""
        for hand in Hand.objects.order_by("pk"):
            state = self._kept.get((hand.table_id, hand.number))
            settled = stored.decode(bytes(hand.record))
            if state and (state.setup, state.actions) != (settled.setup, settled.actions):
                yield f"hand {hand.table_id}/{hand.number} was decided and is settled otherwise"


def _kind(raw: bytes) -> bytes:
    found = _TYPE.search(raw)
    assert found is not None
    return found[1]
