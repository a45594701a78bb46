"""Prizes in kind: the winner's special prize, and a second prize (Z-03)."""

from __future__ import annotations

import msgspec

from accounts.models import User
from tournaments.events.rulings import NamedPrize
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Tournament
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
    placed = tournament.entries.filter(user=user, place__isnull=False).order_by("place")
    named = rows(tournament)
    return [
        row
        for place in placed.values_list("place", flat=True)
        for row in named
        if place is not None and place <= row.last
    ]


def tell(tx: TournamentTransaction) -> None:
    """Tell the winners of prizes in kind, in the transaction that ends the tournament."""
    tournament = tx.tournament
    named = rows(tournament)
    last = max((row.last for row in named), default=0)
    for entry in tournament.entries.filter(place__lte=last).order_by("place", "pk"):
        assert entry.place is not None
        for row in named:
            if entry.place <= row.last:
                event = NamedPrize(tournament.pk, tournament.name, entry.place, row.prize)
                tx.notify(entry.user_id, event)
