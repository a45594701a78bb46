"""Hands that became void, with their reasons: nothing of them counts, and no card is told."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tables.fairness.leaves import Fate, FateReason
from tables.models import SealedDeck

SHOWN_MAX = 50
"""Most void hands on a page; the API lists all."""

REASONS = {
    FateReason.NONE: _("No reason is kept."),
    FateReason.REDIS_ADOPTED: _("The memory of the tables was lost."),
    FateReason.SUPERSEDED: _("The table was set back to its last finished hand."),
    FateReason.MISSING_IN_REDIS: _("The state of the table was lost."),
    FateReason.CLOSED: _("The table was closed."),
    FateReason.KEY_LOST: _("The key of the deck was lost."),
    FateReason.ENGINE_FAULT: _("A fault of the program stopped the hand."),
    FateReason.OTHER_DECK_NEEDED: _("The game needed another deck."),
}
"""Sentences by reason of a fate, for readers."""


class VoidHand(NamedTuple):
    """A void hand in a list; its number is used again by the next hand of the table."""

    table: int
    table_number: int
    number: int
    ended_ms: int
    reason: str


def void_hands(director: str, game: int) -> QuerySet[SealedDeck]:
    """Return the sealed decks of the void hands of a game, with their tables."""
    rows = SealedDeck.objects.filter(fate=Fate.VOID_IN_PLAY)
    return rows.filter(table__director=director, table__game=game).select_related("table")


def newest(rows: QuerySet[SealedDeck]) -> list[VoidHand]:
    """Return the last void hands of a list, newest first."""
    return [
        VoidHand(
            table=row.table_id,
            table_number=row.table.number,
            number=row.hand,
            ended_ms=row.ended_ms,
            reason=str(REASONS[FateReason(row.reason)]),
        )
        for row in rows.order_by("-ended_ms", "-pk")[:SHOWN_MAX]
    ]


def code(row: SealedDeck) -> str:
    """Return the reason of a void hand as a code for programs."""
    return FateReason(row.reason).name.lower()
