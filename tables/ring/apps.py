"""The Django app of ring games: a second director on the tables of the room."""

from __future__ import annotations

from typing import get_args

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RingConfig(AppConfig):
    """Django app of ring games, from the first buy-in to the last jackpot."""

    name = "tables.ring"
    label = "ring"
    verbose_name = _("ring games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register directors, references of statements, seals, and what a loss takes."""
        from accounts.clubs import departures
        from accounts.deletion import parts
        from accounts.ledger import references, seals
        from accounts.notifications import kinds
        from accounts.users import account_export
        from tables.dealer import director
        from tables.gateway.streams import known_kinds
        from tables.ring import audiences
        from tables.ring.money import DIRECTOR, RAPID
        from tables.ring.notices import RingNotice
        from tables.ring.queries.free_seats import SEAT_OPEN
        from tables.ring.rapid import stays
        from tables.ring.rapid.director import RapidDirector
        from tables.ring.running import access
        from tables.ring.running.director import RingDirector
        from tables.ring.sessions import club_games, deletion
        from tables.workers import database_losses

        director.register(
            DIRECTOR,
            RingDirector(),
            admitted=audiences.admitted_to,
            concerns=access.sits_in,
            club=audiences.club_of,
            for_money=True,
        )
        director.register(
            RAPID,
            RapidDirector(),
            admitted=audiences.admitted_to,
            concerns=access.sits_in,
            folded=(stays.free, stays.freed),
            for_money=True,
        )
        database_losses.drop_pledges("ring_ringsession")
        kinds.register(SEAT_OPEN)
        references.register(DIRECTOR, access.references)
        references.register(RAPID, access.pool_references)
        account_export.register("ring_games", access.exported_sessions)
        departures.register("ring", club_games.end_places)
        parts.register("ring", parts.PartOfAccount(deletion.erase, deletion.obstacles))
        known_kinds.add_events(known_kinds.OWN, get_args(RingNotice))
        columns = ("id", "game_id", "session_id", "actor_id", "action", "reason", "details")
        seals.register(
            seals.Sealed("ring_audit", "ring_ringauditrow", (*columns, "extract(epoch from at)"))
        )
