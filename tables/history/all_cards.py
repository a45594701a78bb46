"""All cards of a finished hand, released to staff for a reason and never to its players."""

from __future__ import annotations

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry

from accounts.models import User
from tables.dealer import director
from tables.engine.events import HandEvent
from tables.engine.visibility import view
from tables.history.kept import kept_of, whole_of
from tables.models import Hand, Seat
from tables.records.month_keys import record_keys

RIGHT = "tables.see_hole_cards"
NO_RIGHT = "no_right"
PLAYS_HERE = "plays_here"
SWITCHED_OFF = "switched_off"


def refusal(user: User, hand: Hand) -> str:
    """Return why a user may not see all cards of a hand, as a code; "" when allowed.

    Folded cards and decks reveal how opponents play, so they stay hidden from a user with a part in
    a game that is not over: entered (also when out again), or seated at one of its tables.
    """
    if not user.has_perm(RIGHT):
        return NO_RIGHT
    if not (settings.SEE_HOLE_CARDS and record_keys.are_held):
        return SWITCHED_OFF
    table = hand.table
    seated = Seat.objects.filter(
        user=user, table__director=table.director, table__game=table.game, table__status="open"
    )
    if director.concerns(table.director, table.game, user.pk) or seated.exists():
        return PLAYS_HERE
    return ""


def events(user: User, hand: Hand, reason: str) -> list[HandEvent]:
    """Return every event of a hand with all cards and the deck; log the user and the reason.

    The caller has checked `refusal`; a refused hand is an error of the program.
    """
    assert reason and not refusal(user, hand), "cards released without a reason or a right"
    LogEntry.objects.log_actions(
        user.pk, [hand], CHANGE, f"looked at hole cards: {reason}", single_object=True
    )
    return replayed(hand)


def replayed(hand: Hand) -> list[HandEvent]:
    """Return every event of a finished hand with all cards; raises NoMonthKey."""
    return list(whole_of(hand).events())


def public(hand: Hand) -> list[HandEvent]:
    """Return every event of a finished hand as all saw it."""
    return [view(event, None) for event in kept_of(hand).events()]
