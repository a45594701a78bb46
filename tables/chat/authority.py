"""Authority over a chat: moderators of the room over all, managers of a club over its own."""

from __future__ import annotations

from enum import IntEnum

from accounts.clubs import rules, steps
from accounts.models import Club, User
from accounts.users.rights import has_right
from tables.chat.clubs import club_of

RIGHT = "chat.moderate_chat"
"""Permission of moderators of the room."""


class Reach(IntEnum):
    """Reach of a user over others in a chat; a larger one moderates a smaller one."""

    NONE = 0
    CLUB = 1
    ROOM = 2


def reach_over(user: User, stream: str) -> Reach:
    """Return the reach of a user over a chat."""
    return Reach.ROOM if has_right(user, RIGHT) else _reach_in(user, club_of(stream))


def reach_of(user: User, club: int | None) -> Reach:
    """Return the reach of a user over the chats of a club, or of the room (None)."""
    return Reach.ROOM if has_right(user, RIGHT) else _reach_in(user, club)


def _reach_in(user: User, club: int | None) -> Reach:
    found = None if club is None else Club.objects.filter(pk=club).first()
    if found is not None and rules.may_manage(steps.role_of(user, found)):
        return Reach.CLUB
    return Reach.NONE


def may_moderate(user: object, stream: str) -> bool:
    """Return whether a visitor moderates a chat, so that its page offers the steps."""
    return isinstance(user, User) and reach_over(user, stream) is not Reach.NONE
