"""Announcements of changed lobby rows, each whole and at most once per tick."""

from __future__ import annotations

from hashlib import md5

import msgspec

from tournaments.events.client_events import TournamentChanged
from tournaments.events.outbox import LOBBY, Outbox
from tournaments.models import Tournament
from tournaments.queries import overview

_json = msgspec.json.Encoder().encode


def tell_change(tournament: Tournament) -> bool:
    """Announce the row of a locked tournament if it changed; return whether it was announced.

    Called last in a transaction: all tournaments share the head of the lobby's stream, which no
    transaction holds while it waits for another lock.
    """
    seen = overview.summary(tournament)
    digest = md5(_json(seen), usedforsecurity=False).hexdigest()
    if digest == tournament.lobby_told:
        return False
    tournament.lobby_told = digest
    tournament.save(update_fields=["lobby_told"])
    outbox = Outbox()
    outbox.tell(LOBBY, TournamentChanged(seen))
    outbox.write()
    return True
