"""Preset payout tables: percentages by place as whole basis points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Literal

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _

BASIS_POINTS = 10_000
PLACES_MAX = 2_000
_LINE = re.compile(r"(\d{1,6})-(\d{1,6}):((?: +(?:\d{1,4}x)?(?:\d{1,3}(?:\.\d{1,2})?|\.\d{1,2}))+)")


A_ROW = _("A row looks like this: 4-9: 70 30")
"""Sentence about a row of a payout table that cannot be read."""

_refusal = partial(RuleRefusal, field="payout_table")


class PayoutTableRow(msgspec.Struct, frozen=True):
    """Shares in basis points, by place, for fields of `fewest` to `most` entrants."""

    fewest: int
    most: int
    shares: tuple[int, ...]


class PayoutTable(msgspec.Struct, frozen=True):
    """A payout scheme: rows by number of entrants (Z-02).

    Fields above the last row are paid by `beyond`: another preset, the generated curve, or the last
    row when it is None. Fields below the first row use the first.
    """

    name: str
    rows: tuple[PayoutTableRow, ...]
    beyond: Literal["wide", "curve"] | None = None

    def row(self, entrants: int) -> PayoutTableRow | None:
        """Return the row for a field of this many entries; None when `beyond` pays it."""
        for row in self.rows:
            if entrants <= row.most:
                return row
        return self.rows[-1] if self.beyond is None else None


def validate_payout_table(table: PayoutTable) -> PayoutTable:
    """Return the table if it can pay any field; raise RuleRefusal otherwise (Z-02)."""
    if not table.rows:
        raise _refusal("no_rows", _("A payout table needs at least one row."))
    expected = table.rows[0].fewest
    for row in table.rows:
        if row.fewest != expected or row.most < row.fewest:
            raise _refusal(
                "rows_with_gaps", _("The rows follow each other without gap or overlap.")
            )
        if any(share <= 0 for share in row.shares) or sum(row.shares) != BASIS_POINTS:
            raise _refusal("not_100_percent", _("The shares of every row add up to exactly 100 %."))
        check_order(row.shares)
        if len(row.shares) > max(row.most, 1):
            raise _refusal("more_prizes_than_players", _("A row pays no more places than players."))
        expected = row.most + 1
    return table


def check_order(shares: Sequence[int], field: str = "payout_table") -> None:
    """Refuse shares by place of which a later one is larger (Z-02, F-05)."""
    if any(better < worse for better, worse in pairwise(shares)):
        raise RuleRefusal(
            "rising_shares", _("A better place never gets less than a worse one."), field=field
        )


def decoded(rows: object) -> PayoutTable:
    """Decode a custom table from its stored rows; raises ValidationError or RuleRefusal."""
    return validate_payout_table(msgspec.convert({"name": "own", "rows": rows}, PayoutTable))


def parse(text: str) -> PayoutTable:
    """Parse a custom table from lines like `4-9: 70 30`; raises RuleRefusal (Z-02).

    Each line names the entrants and the percentages by place; `3x1.6` is three places of 1.6 %.
    """
    rows = []
    for line in text.strip().splitlines():
        matched = _LINE.fullmatch(line.strip())
        if matched is None:
            raise _refusal("bad_row", A_ROW)
        points: list[int] = []
        for share in matched[3].split():
            count, times, value = share.rpartition("x")
            places = int(count) if times else 1
            if len(points) + places > PLACES_MAX:
                raise _refusal(
                    "more_prizes_than_players",
                    _("At most %(most)s places are paid."),
                    most=PLACES_MAX,
                )
            points += [_percent(value)] * places
        rows.append(PayoutTableRow(int(matched[1]), int(matched[2]), tuple(points)))
    return validate_payout_table(PayoutTable("own", tuple(rows)))


def written(table: PayoutTable) -> str:
    """Format a table as the lines that `parse` reads."""
    lines = []
    for row in table.rows:
        shares = (f"{points // 100}.{points % 100:02d}" for points in row.shares)
        lines.append(f"{row.fewest}-{row.most}: {' '.join(shares)}")
    return "\n".join(lines)


def _percent(text: str) -> int:
    """Return the basis points of a percentage like "17.25" or ".7", without floats."""
    whole, _, part = text.partition(".")
    assert len(part) <= 2, "shares have at most two decimals"
    return int(whole or "0") * 100 + int((part + "00")[:2])


def _classic() -> PayoutTable:
    """Rows like `4-9: 70 30 | 101-130: 28 ... 3x1.6`; `3x1.6` is three places of 1.6 %."""
    rows = []
    for line in _CLASSIC.strip().splitlines():
        fields, _, shares = line.partition(":")
        fewest, most = (int(bound) for bound in fields.split("-"))
        points: list[int] = []
        for share in shares.split():
            count, times, value = share.rpartition("x")
            points += [_percent(value)] * (int(count) if times else 1)
        rows.append(PayoutTableRow(fewest, most, tuple(points)))
    return validate_payout_table(PayoutTable("classic", tuple(rows), beyond="wide"))


def _wide() -> PayoutTable:
    """Rows with one share per place from 1 to 9, then one per band of places."""
    rows = []
    for line in _WIDE.strip().splitlines():
        fields, _, shares = line.partition(":")
        fewest, most = (int(bound) for bound in fields.split("-"))
        points = [_percent(share) for share in shares.split()]
        paid = points[:9]
        for band, share in zip(_WIDE_BANDS, points[9:], strict=False):
            paid += [share] * band
        rows.append(PayoutTableRow(fewest, most, tuple(paid)))
    return validate_payout_table(PayoutTable("wide", tuple(rows), beyond="curve"))


_WIDE_BANDS = (3, 3, 3, 9, 9, 9, 18, 18, 18, 27, 27)

_CLASSIC = """
1-3: 100
4-9: 70 30
10-30: 50 30 20
31-60: 37 22 15 11 8 7
61-70: 30 20 12 10 8 6.5 5.5 4.5 3.5
71-90: 29 18.5 12 10 8 6.5 5.5 4.5 3.5 2.5
91-100: 28.5 17.25 11 9.1 7.6 6.4 5.4 4.3 3.3 2.35 3x1.6
101-130: 28 17 10.5 8.25 7.1 6 5 4.1 2.8 2.25 3x1.6 3x1.4
131-200: 27.5 16.6 10.15 7.9 6.8 5.8 4.7 3.7 2.6 2 3x1.5 3x1.25 4x1
201-270: 27 16.3 9 7.25 6.25 5.25 4.25 3.25 2.25 1.6 3x1.3 3x1.1 4x.85 10x.7
"""

_WIDE = """
1-12: 50 30 20
13-18: 40 30 20 10
19-27: 40 23 16 12 9
28-36: 33 20 15 11 8 7 6
37-50: 29 18 13 10 8 7 6 5 4
51-66: 26 16.5 12 9.5 8 6.5 5 4 3.5 3
67-83: 25.5 16 11.5 9 7.5 6 4.5 3.5 3 2.5 2
84-117: 25 15.5 11 8.5 7 5.5 4 3 2.5 2.2 2 1.8
118-175: 23 14 10.5 8 6 4.5 3.5 2.9 2.4 2 1.7 1.4 1.1
176-215: 22.5 13.5 10.3 7.75 6 4.5 3.5 2.7 2.1 1.65 1.35 1.1 .9 .75
216-290: 21.5 13.25 9.5 7.25 5.5 4.2 3.1 2.5 2 1.6 1.3 1.05 .85 .7 .6
291-415: 20.5 12.75 9 6.7 5.2 3.9 2.9 2.3 1.8 1.4 1.1 .9 .75 .6 .5 .45
416-550: 19.5 12.25 8.5 6.5 5 3.7 2.7 2.2 1.7 1.3 1.05 .85 .65 .55 .45 .4 .35
551-700: 19.25 12 8.25 6.4 4.9 3.6 2.65 2.15 1.65 1.3 1.05 .8 .6 .5 .4 .35 .3 .25
701-900: 19.2 11.9 8.25 6.35 4.85 3.55 2.6 2.1 1.6 1.25 1 .75 .55 .45 .35 .29 .24 .21 .19
901-1100: 19.11 11.8 8.2 6.3 4.8 3.5 2.55 2.05 1.55 1.23 .95 .7 .52 .42 .33 .26 .21 .18 .16 .15
"""

PRESETS = {table.name: table for table in (_classic(), _wide())}
