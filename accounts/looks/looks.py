"""Read and keep looks: the cookie of the browser first, then the player's own row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from accounts.looks.models import TableLook
from accounts.models import User
from config.postgres.statements import ANY_KEY, BuiltOnce

COOKIE = "look"
CHOICES: dict[str, list[str]] = {
    "theme": TableLook.Theme.values,
    "felt": TableLook.Felt.values,
    "deck": TableLook.Deck.values,
    "size": TableLook.Size.values,
}
"""Values of each part of a look, the usual one first."""

_LOOK = BuiltOnce(lambda user: TableLook.objects.filter(user=user), ANY_KEY)

USUAL = {name: values[0] for name, values in CHOICES.items()}


def look_of(cookie: str, user: User | None) -> dict[str, str]:
    """Return the look for a browser's cookie ("" without one) and its user, if logged in.

    What is no value of a part counts as its usual one.
    """
    if cookie:
        return checked(dict(parse_qsl(cookie)))
    row = None if user is None else _LOOK.first(user.pk)
    return USUAL if row is None else {name: getattr(row, name) for name in CHOICES}


def checked(given: Mapping[str, str]) -> dict[str, str]:
    """Return a look with the usual value for each part that is missing or unknown."""
    return {
        name: given[name] if given.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }


def keep(look: Mapping[str, str], user: User | None) -> str:
    """Store a look for a logged-in user; return the value of the cookie."""
    if user is not None:
        TableLook.objects.update_or_create(user=user, defaults=dict(look))
    return urlencode(look)


def erase(user: User) -> None:
    """Delete a user's look."""
    TableLook.objects.filter(user=user).delete()


def exported_look(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the look that a user chose."""
    rows: Iterable[Mapping[str, Any]] = TableLook.objects.filter(user=user).values(*CHOICES)
    return rows
