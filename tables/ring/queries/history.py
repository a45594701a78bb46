"""A player's ended stays at ring tables, with hands, result and rake (R-02)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime

import msgspec
from django.db.models import QuerySet, Sum

from accounts import money
from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.queries import words


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


def stays(user: User) -> Iterator[EndedStay]:
    """Yield the ended stays of a player, newest first."""
    for row in _ended(user).select_related("game").order_by("-ended_at", "-pk").iterator(500):
        assert row.ended_at is not None, "a player who left has an end"
        yield EndedStay(
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
    rows = _ended(user)
    sums = rows.aggregate(
        hands=Sum("hands"), bought=Sum("bought"), left=Sum("left_with"), rake=Sum("rake_paid")
    )
    found = {name: value or 0 for name, value in sums.items()}
    result = found["left"] - found["bought"]
    return RingTotals(rows.count(), found["hands"], result, found["rake"])


def csv_rows(user: User) -> Iterator[str]:
    """Yield the lines of a CSV file: times in ISO 8601, amounts in major units."""
    writer = csv.writer(_EchoFile())
    yield writer.writerow(
        ("began", "ended", "game", "stakes", "hands", "bought", "left_with", "result", "rake")
    )
    for stay in stays(user):
        amounts = (stay.bought, stay.left_with, stay.result, stay.rake)
        texts = (f"{amount / money.MINOR_PER_MAJOR:.2f}" for amount in amounts)
        times = (stay.began_at.isoformat(), stay.ended_at.isoformat())
        yield writer.writerow((*times, _plain(stay.game), stay.stakes, stay.hands, *texts))


class _EchoFile:
    """File whose writing returns the line, for rows sent one by one."""

    def write(self, line: str) -> str:
        return line


def _ended(user: User) -> QuerySet[RingSession]:
    return RingSession.objects.filter(user=user, state=RingSession.State.LEFT)


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text
