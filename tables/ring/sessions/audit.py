"""Audit rows of ring games, written in the transaction of the action they name."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from config.inputs.readable import is_readable
from tables.ring.models import RingAuditRow, RingGame, RingSession
from tables.ring.refusals import NoReason, ReasonTooLong, ReasonUnreadable

REASON_MAX = 300


BY_ROOM = "by_room"
"""Detail of a pause that only staff of the room end."""


def is_held_by_room(game_id: int) -> bool:
    """Return whether staff of the room paused a game, which the caller has locked."""
    rows = RingAuditRow.objects.filter(game=game_id, action__in=("freeze", "unfreeze"))
    last = rows.order_by("-pk").first()
    return last is not None and last.action == "freeze" and BY_ROOM in last.details


def checked_reason(reason: str) -> str:
    """Return the reason without outer spaces.

    Raises NoReason, ReasonTooLong, or ReasonUnreadable for signs that cannot be shown.
    """
    text = reason.strip()
    if not text:
        raise NoReason
    if len(text) > REASON_MAX:
        raise ReasonTooLong(most=REASON_MAX)
    if not is_readable(text):
        raise ReasonUnreadable
    return text


def write(
    by: User | None,
    action: str,
    reason: str,
    game: RingGame,
    session: RingSession | None = None,
    **details: Any,
) -> None:
    """Write the row of an action, with a checked reason; the caller has locked the game."""
    RingAuditRow.objects.create(
        game=game,
        session=session,
        actor=by,
        action=action,
        reason=reason,
        details=details,
    )
