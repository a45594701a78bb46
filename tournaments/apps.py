"""The Django app that runs tournaments."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Django app of tournaments, from registration to the last prize."""

    name = "tournaments"
    verbose_name = _("tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the director, streams, gauges and seals; restore wakes after a loss of Redis."""
        from accounts.deletion import parts
        from accounts.ledger import references, seals
        from accounts.notifications import kinds
        from accounts.retention import kinds as aging
        from accounts.users import account_export, own_limits
        from config import metrics
        from tables.cardsup import facts, source, streams, watching
        from tables.dealer import director
        from tables.history.exports import games
        from tables.store import notices as table_notices
        from tables.workers import database_losses, recovery
        from tournaments import rows
        from tournaments.buying import offers
        from tournaments.entries import deletion, privacy
        from tournaments.events import bells, outbox, published_numbers
        from tournaments.locks import DIRECTOR
        from tournaments.monitor import gauges
        from tournaments.prizes import cashed_tickets
        from tournaments.queries import exported, mine, notices
        from tournaments.running.director import TournamentDirector
        from tournaments.seating import balancer
        from tournaments.streams import snapshots
        from tournaments.streams.cards_up import TournamentCardsUp
        from tournaments.streams.field_facts import FieldFacts, FieldSnapshot
        from tournaments.webhooks import pruning

        director.register(
            DIRECTOR,
            TournamentDirector(),
            admitted=snapshots.admitted_to,
            concerns=privacy.plays_in,
            club=rows.club_of,
            panel_facts=lambda game: {"sells": rows.sells_between_hands(game)},
        )
        games.register(DIRECTOR, exported.tournament_facts)
        recovery.on_restore(bells.ensure_shard)
        database_losses.register(published_numbers.behind, published_numbers.raise_above)
        database_losses.on_loss(balancer.raise_versions)
        database_losses.drop_pledges("tournaments_move")
        own_limits.register(offers.accepted_cost, cashed_tickets.cashed)
        snapshots.register()
        table_notices.register(outbox.write)
        source.register(DIRECTOR, TournamentCardsUp())
        featured = streams.register(watching.FEATURED, DIRECTOR)
        facts.register_field(featured, state=FieldSnapshot, event=FieldFacts)
        references.register("tournament", mine.references)
        account_export.register("tournaments", mine.exported_entries)
        account_export.register("tickets", mine.exported_tickets)
        account_export.register("tournament_invitations", mine.exported_invitations)
        parts.register("tournaments", parts.PartOfAccount(deletion.erase, deletion.obstacles))
        for kind in notices.KINDS:
            kinds.register(kind)
        metrics.at_every_look(gauges.gauges)
        aging.register(outbox.ANNOUNCEMENTS, *pruning.KINDS)
        columns = ("id", "tournament_id", "actor_id", "action", "reason", "details")
        seals.register(
            seals.Sealed("audit", "tournaments_auditrow", (*columns, "extract(epoch from at)"))
        )
