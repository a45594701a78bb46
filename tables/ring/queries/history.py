"""A player's ended stays at ring tables, with hands, result and rake (R-02)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime

import msgspec
from django.db.models import Q, QuerySet, Sum

from accounts import money
from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.queries import words

STAYS_AT_ONCE = 100
"""Rows in memory while a file is made."""


class EndedStay(msgspec.Struct, frozen=True):
    """One ended stay; amounts in minor units, `rake` is the part attributed to the player."""

    began_at: datetime
    ended_at: datetime
    game: str
    stakes: str
    hands: int
    bought: int
    left_with: int
    rake: int

    @property
    def result(self) -> int:
        """Chips left with, less all buy-ins and top-ups."""
        return self.left_with - self.bought


class RingTotals(msgspec.Struct, frozen=True):
    """Sums over all ended stays of a player; amounts in minor units."""

    stays: int
    hands: int
    result: int
    rake: int


def ended(user: User) -> QuerySet[RingSession]:
    """Return the sessions of a player's ended stays with their games, newest first."""
    rows = RingSession.objects.filter(user=user, state=RingSession.State.LEFT)
    return rows.select_related("game").order_by("-ended_at", "-pk")


def stay(row: RingSession) -> EndedStay:
    """Return the ended stay of a session."""
    assert row.ended_at is not None, "a player who left has an end"
    return EndedStay(
        row.began_at,
        row.ended_at,
        row.game.name,
        words.stakes(row.game),
        row.hands,
        row.bought,
        row.left_with,
        row.rake_paid,
    )


def totals(user: User) -> RingTotals:
    """Return the sums over all ended stays of a player."""
    rows = ended(user)
    sums = rows.aggregate(
        hands=Sum("hands"), bought=Sum("bought"), left=Sum("left_with"), rake=Sum("rake_paid")
    )
    found = {name: value or 0 for name, value in sums.items()}
    result = found["left"] - found["bought"]
    return RingTotals(rows.count(), found["hands"], result, found["rake"])


def csv_parts(user: User) -> Iterator[bytes]:
    """Yield parts of a CSV file: times in ISO 8601, amounts in major units.

    Each query goes on behind the last row: a reader may be slow, and no cursor is open meanwhile.
    """
    writer = csv.writer(_EchoFile())
    yield writer.writerow(
        ("began", "ended", "game", "stakes", "hands", "bought", "left_with", "result", "rake")
    ).encode()
    rows = ended(user)
    found = list(rows[:STAYS_AT_ONCE])
    while found:
        yield "".join([writer.writerow(_cells(stay(row))) for row in found]).encode()
        last = found[-1]
        behind = Q(ended_at__lt=last.ended_at) | Q(ended_at=last.ended_at, pk__lt=last.pk)
        found = list(rows.filter(behind)[:STAYS_AT_ONCE])


def _cells(left: EndedStay) -> tuple[object, ...]:
    amounts = (left.bought, left.left_with, left.result, left.rake)
    texts = (f"{amount / money.MINOR_PER_MAJOR:.2f}" for amount in amounts)
    times = (left.began_at.isoformat(), left.ended_at.isoformat())
    return (*times, _plain(left.game), left.stakes, left.hands, *texts)


class _EchoFile:
    """File whose writing returns the line, for rows sent one by one."""

    def write(self, line: str) -> str:
        return line


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text
