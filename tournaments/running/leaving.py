"""Leaving with a stack of chips that have cash value: one cent each, at a boundary (A-04)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tables.models import Seat
from tournaments import locks
from tournaments.engine import lifecycle
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Ruling, Tournament
from tournaments.refusals import NoCashValue, NotPlaying
from tournaments.running import rulings

Kind = Ruling.Kind


def ask(user: User, tournament_id: int) -> Entry:
    """A player leaves with his stack as soon as his table stands; asked twice it is one request.

    Raises NoCashValue or NotPlaying, and nothing has changed.
    """
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        if not tournament.cash_value:
            raise NoCashValue
        seated = tournament.entries.filter(user=user, state=Entry.State.SEATED)
        entry = seated.select_related("tournament").first()
        if entry is None or tournament.state not in lifecycle.PLAYED:
            raise NotPlaying
        found = rulings.open_about(entry)
        if found is not None and found.kind == Kind.DISQUALIFY:
            raise NotPlaying
        if found is None or found.kind != Kind.LEAVE:
            rulings.forget([entry.pk])
            rulings.make(tournament, entry, Kind.LEAVE, None, user, "")
    return entry


def stack(tournament: Tournament, user: User) -> int | None:
    """What leaving would pay now in cents: his chips after the last hand; None: he sits nowhere."""
    if not tournament.cash_value or tournament.state not in lifecycle.PLAYED:
        return None
    seats = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk, user=user)
    return seats.values_list("chips", flat=True).first()
