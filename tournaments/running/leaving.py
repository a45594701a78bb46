"""Leaving a tournament whose chips have cash value, at one cent a chip, at a boundary (A-04)."""

from __future__ import annotations

from accounts.models import User
from tables.models import Seat
from tournaments.engine import lifecycle
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.locks import DIRECTOR
from tournaments.models import Entry, Ruling, Tournament
from tournaments.refusals import NoCashValue, NotPlaying
from tournaments.running import rulings

Kind = Ruling.Kind


def ask(user: User, tournament_id: int) -> Entry:
    """Ask to leave with the stack at the table's next boundary; a repeated request counts once.

    Raises NoCashValue or NotPlaying before any change.
    """
    with tournament_transaction(tournament_id) as tx:
        tournament = tx.tournament
        if not tournament.cash_value:
            raise NoCashValue
        seated = tournament.entries.filter(user=user, state=Entry.State.SEATED)
        entry = seated.select_related("tournament").first()
        if entry is None or tournament.state not in lifecycle.PLAYED:
            raise NotPlaying
        ruling = rulings.open_about(entry)
        if ruling is not None and ruling.kind == Kind.DISQUALIFY:
            raise NotPlaying
        if ruling is None or ruling.kind != Kind.LEAVE:
            rulings.forget([entry.pk])
            rulings.make(tx, entry, Kind.LEAVE, None, user, "")
    return entry


def stack(tournament: Tournament, user: User) -> int | None:
    """Cents that leaving would pay now: the chips after the last hand; None without a seat."""
    if not tournament.cash_value or tournament.state not in lifecycle.PLAYED:
        return None
    seats = Seat.objects.filter(table__director=DIRECTOR, table__game=tournament.pk, user=user)
    return seats.values_list("chips", flat=True).first()
