"""Ends what membership of a club gave in other apps, in the transaction that ends it."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import Club, User

EndPlaces = Callable[[Club, User, User], None]
"""(club, former member, actor) -> end what membership alone allowed; the membership's row is
deleted. The actor is another user for a removal.
"""

_apps: dict[str, EndPlaces] = {}


def register(app: str, end: EndPlaces) -> None:
    """Register what an app ends."""
    assert app not in _apps, app
    _apps[app] = end


def end_places(club: Club, user: User, by: User) -> None:
    """End what every app gave a former member, by `by`; the club is locked."""
    for end in _apps.values():
        end(club, user, by)
