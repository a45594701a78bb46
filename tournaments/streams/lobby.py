"""Announcements of changed lobby rows, each whole and at most once per tick."""

from __future__ import annotations

from hashlib import md5

import msgspec

from tournaments.events.lobby_row import TournamentChanged
from tournaments.events.outbox import LOBBY
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Tournament
from tournaments.queries import overview

_json = msgspec.json.Encoder().encode


def tell_change(tx: TournamentTransaction) -> None:
    """Announce the row of a tournament if it changed, once everything else is done."""
    seen = overview.summary(tx.tournament)
    digest = md5(_json(seen), usedforsecurity=False).hexdigest()
    if digest != tx.tournament.lobby_told:
        tx.tournament.lobby_told = digest
        for stream in streams_of(tx.tournament):
            tx.tell(stream, TournamentChanged(seen))


def streams_of(tournament: Tournament) -> list[str]:
    """Return the streams that show a tournament's row: the room's lobby, and its club's."""
    club = [] if tournament.club is None else [tournament.club.member]
    return [*club, *([LOBBY] if tournament.is_listed else [])]
