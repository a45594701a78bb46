"""All cards of a finished hand, released to staff for a reason and never to who plays there."""

from __future__ import annotations

from django.contrib.admin.models import CHANGE, LogEntry

from accounts.models import User
from tables.dealer import director, record
from tables.engine.events import HandEvent
from tables.models import Hand, Seat

RIGHT = "tables.see_hole_cards"
NO_RIGHT = "no_right"
PLAYS_HERE = "plays_here"


def refusal(user: User, hand: Hand) -> str:
    """Return why a user may not see all cards of a hand, as a code; empty when he may.

    Folded cards and decks tell how opponents play, so nobody sees those of a game that is not over
    and in which he has a part: entered (also when out again), or seated at one of its tables.
    """
    if not user.has_perm(RIGHT):
        return NO_RIGHT
    table = hand.table
    seated = Seat.objects.filter(
        user=user, table__director=table.director, table__game=table.game, table__status="open"
    )
    if director.concerns(table.director, table.game, user.pk) or seated.exists():
        return PLAYS_HERE
    return ""


def events(user: User, hand: Hand, reason: str) -> list[HandEvent]:
    """Return every event of a hand with all cards, the deck included, and log who looked and why.

    The caller has asked `refusal`; a hand that is refused is an error of the program.
    """
    assert reason and not refusal(user, hand), "cards are released for a reason, to who may"
    LogEntry.objects.log_actions(
        user.pk, [hand], CHANGE, f"looked at hole cards: {reason}", single_object=True
    )
    return replayed(hand)


def replayed(hand: Hand) -> list[HandEvent]:
    """Return every event of a finished hand as it happened; not for anybody's eyes as it is."""
    kept = record.decode(bytes(hand.record))
    return list(record.replay(kept.setup, kept.actions))
