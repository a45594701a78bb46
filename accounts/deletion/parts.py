"""Parts of an account that other apps hold: obstacles to its deletion, and rows to erase."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from accounts.models import User
from config.refusals import Refusal


class PartOfAccount(NamedTuple):
    """Part of an account in another app.

    `erase` gives the anonymous name of the user to every copy of the former one and deletes
    personal rows, in the deletion's transaction. `obstacles` returns what the player has to end
    first, if anything.
    """

    erase: Callable[[User], None]
    obstacles: Callable[[User], Iterable[Refusal]] = lambda user: ()


_parts: dict[str, PartOfAccount] = {}


def register(app: str, part: PartOfAccount) -> None:
    """Register the part of an app."""
    assert app not in _parts, app
    _parts[app] = part


def registered() -> list[PartOfAccount]:
    """Return the parts of all apps."""
    return list(_parts.values())
