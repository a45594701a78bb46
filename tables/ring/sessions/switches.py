"""Choices of a ring session by name, as pages and programs switch them."""

from __future__ import annotations

from accounts.models import User
from tables.ring.models import RingSession
from tables.ring.sessions import choices, top_up

SWITCHES = {
    "auto": top_up.set_auto,
    "straddle": choices.set_straddle,
    "post": choices.set_posting,
    "skip": choices.set_skipping,
    "sit_out": choices.set_sitting_out,
}
"""Name of a choice -> how it is switched."""


def switch(user: User, session: int, choice: str, on: bool) -> RingSession:
    """Switch one of SWITCHES on or off; raises Refusal."""
    return SWITCHES[choice](user, session, on)
