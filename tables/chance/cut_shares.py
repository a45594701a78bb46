"""Shares of hands with a cut by kind of game, from what every process may read of records."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime

import msgspec
import structlog

from config.postgres.one_moment import one_moment
from tables.dealer.sealed import CalledHand
from tables.fairness.cutting import CutState
from tables.models import Hand
from tables.records import stored

log = structlog.get_logger(__name__)

READ_AT_ONCE = 500


class CutShares(msgspec.Struct):
    """Settled hands of one kind of game: how many were cut, and what became of called pledges.

    `unsealed` hands were dealt without a seal and are in no other figure; `unread` ones have a
    record that cannot be read.
    """

    hands: int = 0
    hands_cut: int = 0
    seats: int = 0
    called: int = 0
    in_time: int = 0
    late: int = 0
    unsealed: int = 0
    unread: int = 0

    def add(self, called: CalledHand | None) -> None:
        """Count a hand by its call, None for one without a seal."""
        if called is None:
            self.unsealed += 1
            return
        states = [row.state for row in called.roster()]
        in_time = states.count(CutState.OPENED)
        self.hands += 1
        self.hands_cut += bool(in_time)
        self.seats += len(states)
        self.called += len(states) - states.count(CutState.NO_PLEDGE)
        self.in_time += in_time
        self.late += states.count(CutState.LATE)

    def figures(self) -> dict[str, int | float | None]:
        """Return the counts with their shares; a share of nothing is None."""
        return msgspec.structs.asdict(self) | {
            "share_of_hands": _share(self.hands_cut, self.hands),
            "share_of_seats": _share(self.in_time, self.seats),
            "share_in_time": _share(self.in_time, self.called),
        }


def count_shares(day: date | None = None) -> dict[str, CutShares]:
    """Return the counts by kind of game, the name of its director; of one UTC day if given."""
    found: defaultdict[str, CutShares] = defaultdict(CutShares)
    with one_moment():
        rows = Hand.objects.order_by("pk").values_list("table__director", "record")
        for kind, raw in rows.iterator(READ_AT_ONCE):
            try:
                fields = _decode(stored.open_bytes(bytes(raw)))
            except Exception:
                log.exception("hand left out of the shares of cuts")
                found[kind].unread += 1
                continue
            ended = datetime.fromtimestamp(fields.ended_ms / 1_000, UTC).date()
            if day in (None, ended):
                found[kind].add(fields.called)
    return dict(sorted(found.items()))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None


class _CutFields(msgspec.Struct, frozen=True):
    """Fields of a record that tell of its cut."""

    ended_ms: int
    called: CalledHand | None = None


_decode = msgspec.msgpack.Decoder(_CutFields).decode
