"""Announcements to viewers and players that a tournament stops or goes on."""

from __future__ import annotations

from tournaments.events.client_events import Paused, Resumed
from tournaments.events.rulings import TournamentPaused, TournamentResumed
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.words import FROZEN

_STEPS: dict[str, str] = {State.PAUSED: "pause", State.CANCELLED: "cancel"}


def tell_paused(tx: TournamentTransaction, reason: str) -> None:
    """Announce that all tables stop after their hand, with the `reason` (L-05, T-13)."""
    tournament = tx.tournament
    tx.announce(Paused(reason))
    notice = TournamentPaused(tournament.pk, tournament.name, reason)
    for user in _playing(tournament):
        tx.notify(user, notice)


def tell_resumed(tx: TournamentTransaction) -> None:
    """Announce that all tables go on together (L-05, T-13)."""
    tournament = tx.tournament
    tx.announce(Resumed())
    notice = TournamentResumed(tournament.pk, tournament.name)
    for user in _playing(tournament):
        tx.notify(user, notice)


def why(tournament: Tournament) -> str:
    """Return why a tournament stands or was cancelled; "" in play or without a reason."""
    if tournament.state == State.FROZEN:
        return FROZEN
    step = _STEPS.get(tournament.state)
    if step is None:
        return ""
    rows = tournament.audit.filter(action=step).order_by("-pk")
    return rows.values_list("reason", flat=True).first() or ""


def _playing(tournament: Tournament) -> list[int]:
    """Users with an entry in play or pending, each once."""
    entries = tournament.entries.filter(state__in=Entry.IN_PLAY)
    return list(entries.order_by("user").values_list("user", flat=True).distinct())
