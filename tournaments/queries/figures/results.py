"""Results of a player over time: tournaments that are over, and ended stays at ring games."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.db.models import Count, F, Min, Q, QuerySet, Sum
from django.utils import timezone

from accounts.models import User
from tables.ring import audiences
from tables.ring.models import RingSession
from tables.ring.queries import words
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State

RESULTS_MAX = 5_000
"""Most results drawn and listed, the newest: years of play. Sums are of all."""

_COLUMNS = (
    *("tournament__finished_at", "tournament", "tournament__name", "place"),
    *("tournament__entrants", "paid_buy_in", "paid_bounty", "paid_fee", "prize", "bounties_won"),
)


class TournamentResult(msgspec.Struct, frozen=True):
    """An entry of a tournament that is over; `cost` and `back` in minor units.

    `back` are prize and bounties, `cost` everything paid for the entry.
    """

    at: datetime
    tournament: int
    name: str
    place: int | None
    entrants: int
    cost: int
    back: int

    @property
    def profit(self) -> int:
        """Prize and bounties less everything paid, in minor units."""
        return self.back - self.cost


class RingResult(msgspec.Struct, frozen=True):
    """An ended stay at a ring game; `profit` in minor units."""

    at: datetime
    name: str
    stakes: str
    hands: int
    profit: int


class ResultSums(msgspec.Struct, frozen=True):
    """Sums of tournament results; money in minor units."""

    entries: int
    cost: int
    back: int
    in_the_money: int
    wins: int
    best: int | None

    @property
    def profit(self) -> int:
        """Everything won less everything paid."""
        return self.back - self.cost


def tournament_results(user: User, seen: QuerySet[Tournament]) -> list[TournamentResult]:
    """Return a player's newest results in those of the tournaments `seen` that are over.

    The oldest comes first. Merged entries are among them: they were paid, and may have won.
    """
    newest = _finished(user, seen).order_by("-tournament__finished_at", "-pk")
    # A tournament has a hundred columns: the page of a regular reads few of thousands.
    found = [
        TournamentResult(
            at=at or timezone.now(),
            tournament=tournament,
            name=name,
            place=place,
            entrants=entrants,
            cost=buy_in + bounty + fee,
            back=prize + bounties,
        )
        for at, tournament, name, place, entrants, buy_in, bounty, fee, prize, bounties in (
            newest.values_list(*_COLUMNS)[:RESULTS_MAX]
        )
    ]
    return found[::-1]


def result_sums(user: User, seen: QuerySet[Tournament]) -> ResultSums:
    """Return the sums of all of a player's results in those of the tournaments that are over."""
    cost = F("paid_buy_in") + F("paid_bounty") + F("paid_fee")
    found = _finished(user, seen).aggregate(
        entries=Count("pk"),
        cost=Sum(cost, default=0),
        back=Sum(F("prize") + F("bounties_won"), default=0),
        in_the_money=Count("pk", filter=Q(prize__gt=0) | Q(bounties_won__gt=0)),
        wins=Count("pk", filter=Q(place=1)),
        best=Min("place"),
    )
    sums = {name: None if value is None else int(value) for name, value in found.items()}
    return msgspec.convert(sums, ResultSums)


def _finished(user: User, seen: QuerySet[Tournament]) -> QuerySet[Entry]:
    return Entry.objects.filter(
        user=user, tournament__in=seen, tournament__state=State.FINISHED, state__in=Entry.PLAYED
    )


def ring_results(user: User, *, private_too: bool) -> list[RingResult]:
    """Return a player's newest ended stays, oldest first; `private_too`: of private games too.

    Games for members of a club are private.
    """
    newest = _ended(user, private_too=private_too).select_related("game")
    found = [
        RingResult(
            at=row.ended_at,
            name=row.game.name,
            stakes=words.stakes(row.game),
            hands=row.hands,
            profit=row.left_with - row.bought,
        )
        for row in newest.order_by("-ended_at", "-pk")[:RESULTS_MAX]
        if row.ended_at is not None
    ]
    return found[::-1]


def ring_profit(user: User, *, private_too: bool) -> int:
    """Return the sum of all of a player's ended stays, as `ring_results` chooses them."""
    profit = Sum(F("left_with") - F("bought"), default=0)
    return int(_ended(user, private_too=private_too).aggregate(profit=profit)["profit"])


def _ended(user: User, *, private_too: bool) -> QuerySet[RingSession]:
    ended = RingSession.objects.filter(user=user, state=RingSession.State.LEFT)
    if not private_too:
        ended = ended.filter(game__password="")  # nosec B106
        ended = ended.filter(game__in=audiences.listable(None).values("pk"))
    return ended.exclude(ended_at=None)
