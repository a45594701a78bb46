"""Routes of void hands: where a fault ended a hand, and why; nothing of the hand is told."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Router

from tables.history.void_hands import code, void_hands
from tables.models import SealedDeck
from tournaments.api.access import ScopedBearer
from tournaments.api.bodies.answers import VoidHandAnswer, VoidHandPage
from tournaments.api.callers import seen, seen_table
from tournaments.api.cursors import page_of

router = Router()

WATCH = ScopedBearer("watch")


@router.get(
    "/tournaments/{int:pk}/void-hands",
    auth=WATCH,
    response=VoidHandPage,
    url_name="api_tournament_void_hands",
)
def tournament_void_hands(request: HttpRequest, pk: int, cursor: str = "") -> VoidHandPage:
    """List the void hands of a tournament that the user may see, newest seal first."""
    seen(request, pk)
    return _page(void_hands("tournament", pk), cursor, f"void:tournament:{pk}")


@router.get(
    "/tables/{int:pk}/void-hands",
    auth=WATCH,
    response=VoidHandPage,
    url_name="api_table_void_hands",
)
def table_void_hands(request: HttpRequest, pk: int, cursor: str = "") -> VoidHandPage:
    """List the void hands of a table that the user may see, newest seal first."""
    table = seen_table(request, pk)
    rows = void_hands(table.director, table.game).filter(table=table)
    return _page(rows, cursor, f"void:table:{pk}")


def _page(rows: QuerySet[SealedDeck], cursor: str, listing: str) -> VoidHandPage:
    page, following = page_of(rows, cursor, listing)
    items = [
        VoidHandAnswer(
            id=row.pk,
            table=row.table_id,
            number=row.hand,
            reason=code(row),
            ended_at=datetime.fromtimestamp(row.ended_ms / 1_000, UTC),
        )
        for row in page
    ]
    return VoidHandPage(items=items, next=following)
