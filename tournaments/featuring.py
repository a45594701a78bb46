"""The featured table that spectators are led to, chosen by the room or automatically."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from tables.models import Table
from tournaments import locks
from tournaments.engine import lifecycle
from tournaments.models import AuditRow, Tournament
from tournaments.refusals import NoSuchTable, NotPlayed


def feature(tournament_id: int, table: int | None, *, actor: User | None, reason: str) -> None:
    """Feature a table until it closes; None returns to the automatic choice.

    Raises NotPlayed or NoSuchTable; a repeated choice changes nothing.
    """
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        if tournament.state not in lifecycle.PLAYED:
            raise NotPlayed
        if table is not None and not open_tables(tournament).filter(pk=table).exists():
            raise NoSuchTable
        if tournament.featured_id == table:
            return
        tournament.featured_id = table
        tournament.save(update_fields=["featured"])
        AuditRow.objects.create(
            tournament=tournament,
            actor=actor,
            action="feature",
            reason=reason,
            details={"table": table},
        )


def chosen(tournament: Tournament) -> int | None:
    """Return the table chosen by the room while it is open; a closed table never opens again."""
    if tournament.featured_id is None:
        return None
    table = open_tables(tournament).filter(pk=tournament.featured_id)
    return table.values_list("pk", flat=True).first()


def open_tables(tournament: Tournament) -> QuerySet[Table]:
    """Tables that may be featured."""
    return Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
    )
