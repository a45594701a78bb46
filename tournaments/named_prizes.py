"""Prizes with a name instead of money: the winner's special prize, and a second prize (Z-03)."""

from __future__ import annotations

from tournaments.announcements import Outbox
from tournaments.announcements import user as notices_of
from tournaments.models import Tournament
from tournaments.ruling_events import NamedPrize


def tell(tournament: Tournament, outbox: Outbox) -> None:
    """Tell who won one, once every place is given; the tournament ends in this transaction."""
    named = {1: tournament.special_prize} if tournament.special_prize else {}
    last = tournament.second_prize_places if tournament.second_prize else 0
    for entry in tournament.entries.filter(place__lte=max(1, last)).order_by("place", "pk"):
        assert entry.place is not None
        prizes = [named.get(entry.place), tournament.second_prize if entry.place <= last else None]
        for prize in filter(None, prizes):
            notice = NamedPrize(tournament.pk, tournament.name, entry.place, prize)
            outbox.tell(notices_of(entry.user_id), notice)
