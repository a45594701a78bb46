"""Meetings of two players: tournaments that both played to the end, knock-outs, hands together."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from tables.history.released import released_hands
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.models.tournament import State

SHOWN_MAX = 100
"""Most tournaments of a table, the newest: two who play daily meet in thousands."""


class SharedTournament(msgspec.Struct, frozen=True):
    """A tournament that both players finished, with the best place of each."""

    at: datetime
    tournament: int
    name: str
    entrants: int
    mine: int
    theirs: int


class Meetings(msgspec.Struct, frozen=True):
    """Meetings of a viewer with another player; `tournaments` are the newest ones, in order."""

    tournaments: list[SharedTournament]
    ahead: int
    behind: int
    knocked_out: int
    knocked_out_by: int
    hands: int

    @property
    def is_empty(self) -> bool:
        """True when the two never met."""
        return not self.tournaments and not self.hands


def meetings_of(viewer: User, other: User, seen: QuerySet[Tournament]) -> Meetings:
    """Return the meetings of two players in the tournaments that the viewer may see."""
    mine, theirs = _best_places(viewer, seen), _best_places(other, seen)
    common = mine.keys() & theirs.keys()
    rows = seen.filter(pk__in=common).order_by("-finished_at", "-pk")
    facts = rows.values_list("finished_at", "pk", "name", "entrants")
    return Meetings(
        tournaments=[
            SharedTournament(at or timezone.now(), pk, name, entrants, mine[pk], theirs[pk])
            for at, pk, name, entrants in facts[:SHOWN_MAX]
        ],
        ahead=sum(mine[pk] < theirs[pk] for pk in common),
        behind=sum(mine[pk] > theirs[pk] for pk in common),
        knocked_out=_knock_outs(viewer, other, common),
        knocked_out_by=_knock_outs(other, viewer, common),
        hands=released_hands().filter(users__contains=[viewer.pk, other.pk]).count(),
    )


def _best_places(user: User, seen: QuerySet[Tournament]) -> dict[int, int]:
    entries = Entry.objects.filter(
        user=user, tournament__in=seen, tournament__state=State.FINISHED, place__isnull=False
    )
    best: dict[int, int] = {}
    for tournament, place in entries.values_list("tournament_id", "place"):
        assert place is not None
        best[tournament] = min(place, best.get(tournament, place))
    return best


def _knock_outs(winner: User, loser: User, common: Collection[int]) -> int:
    """Return how often one player won the last chips of the other in these tournaments."""
    outs = KnockOut.objects.filter(entry__user=loser, tournament__in=common)
    entries = Entry.objects.filter(user=winner, tournament__in=common)
    own = set(entries.values_list("pk", flat=True))
    return sum(
        any(entry in own for entry, _ in winners)
        for winners in outs.values_list("winners", flat=True)
    )
