"""Lists of lately played tournaments are found by an index, however many there were before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from redis import Redis

from tests.plans import whole_reads
from tests.tournaments.seasons.cast import finished, season
from tournaments.models import Webhook
from tournaments.monitor import audit
from tournaments.monitor.audit_memory import AuditMemory
from tournaments.queries import overview
from tournaments.seasons.tables import read_table
from tournaments.streams.cards_up import TournamentCardsUp
from tournaments.webhooks import collecting

pytestmark = pytest.mark.django_db


def _collect() -> None:
    collecting.collect(Webhook.objects.create(name="All", address="https://example.org").pk)


def _season() -> None:
    read_table(season())


def _audit() -> None:
    AuditMemory(over_most=2)._tournament_violations()


@pytest.mark.parametrize(
    ("work", "by"),
    [
        (_collect, ""),
        (_season, "started_ms"),
        (overview.lobby, ""),
        (overview.everything, ""),
        (TournamentCardsUp().games, ""),
        (_audit, "(finished_at|state|id)"),
        (lambda: list(audit.registrations()), ""),
        (lambda: list(audit.shares()), ""),
    ],
    ids=["webhooks", "season", "lobby", "all", "cards up", "audit", "refunds", "shares"],
)
def test_tournaments_of_years_are_not_read_for_the_latest(
    work: Callable[[], object], by: str, house: Redis
) -> None:
    finished("Ann", "Ben", "Cid")
    assert whole_reads(work, "tournaments_tournament", by=by) == []
