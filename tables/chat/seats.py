"""Seats of a player at all tables, for chats that belong to no table."""

from __future__ import annotations

from config.redis import room
from tables.chat.quiet import is_quiet
from tables.chat.refusals import QuietHand
from tables.models import Seat
from tables.store import fenced


def refuse_in_all_in(user: int) -> None:
    """Raise QuietHand while the user is in a hand with an all-in at any table."""
    for table in Seat.objects.filter(user=user).values_list("table_id", flat=True):
        state = fenced.peek_open(room(), table)
        if state is not None and is_quiet(state, user):
            raise QuietHand
