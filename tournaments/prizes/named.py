"""Prizes in kind: the winner's special prize, and a second prize (Z-03)."""

from __future__ import annotations

import msgspec
from django.db.models import QuerySet

from accounts.models import User
from tournaments.events.rulings import NamedPrize
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State


class NamedRow(msgspec.Struct, frozen=True):
    """Places 1 to `last` win `prize` each."""

    last: int
    prize: str


def rows(tournament: Tournament) -> list[NamedRow]:
    """Return the prizes in kind of a tournament, the winner's first."""
    named = []
    if tournament.special_prize:
        named.append(NamedRow(1, tournament.special_prize))
    if tournament.second_prize:
        named.append(NamedRow(tournament.second_prize_places, tournament.second_prize))
    return named


def won(tournament: Tournament, user: User | None) -> list[NamedRow]:
    """Return a player's prizes in kind, one for each winning entry, after the end (Z-05)."""
    if user is None or tournament.state != State.FINISHED:
        return []
    named = rows(tournament)
    own = tournament.entries.filter(user=user, place__lte=_last(named)).order_by("place", "pk")
    found: list[NamedRow] = []
    for pk, place in own.values_list("pk", "place"):
        assert place is not None
        sharers = _best_first(tournament.entries.filter(place=place))
        number = place + list(sharers.values_list("pk", flat=True)).index(pk)
        found += [row for row in named if number <= row.last]
    return found


def tell(tx: TournamentTransaction) -> None:
    """Tell the winners of prizes in kind, in the transaction that ends the tournament."""
    tournament = tx.tournament
    named = rows(tournament)
    last = _last(named)
    best = _best_first(tournament.entries.filter(place__lte=last))[:last]
    for number, entry in enumerate(best, start=1):
        assert entry.place is not None
        for row in named:
            if number <= row.last:
                event = NamedPrize(tournament.pk, tournament.name, entry.place, row.prize)
                tx.notify(entry.user_id, event)


def _last(named: list[NamedRow]) -> int:
    return max((row.last for row in named), default=0)


def _best_first(placed: QuerySet[Entry]) -> QuerySet[Entry]:
    """Order placed entries as prizes in kind are given, one to each.

    A thing is never split: entries that share a place get theirs in the order of its odd units, the
    better seat left of the button first, as far as there are as many as promised (T-07).
    """
    return placed.order_by(
        *("place", "-prize", "knock_out__button_distance", "knock_out__table", "pk")
    )
