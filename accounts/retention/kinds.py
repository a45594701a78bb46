"""Kinds of stored data that age; the room and `manage.py retention` prune by the same objects."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Protocol


class KindSurvey(NamedTuple):
    """Contents of a kind: items now, the oldest, and how many are past their time.

    `oldest` is a date or a name, "" for none; `size` is in bytes, None where counting is not cheap.
    """

    items: int
    oldest: str
    going: int
    size: int | None = None


class AgingKind(Protocol):
    """Kind of data with one rule: how long it is kept, and how it is taken away.

    `unit` names its items. `kept` says how long they are kept, `setting` the setting that says so.
    """

    @property
    def name(self) -> str:
        """Name by which an operator chooses the kind: lower-case words with dashes."""

    @property
    def unit(self) -> str:
        """Name of its items: rows, files or keys."""

    @property
    def kept(self) -> str:
        """Time for which items are kept, for people."""

    @property
    def setting(self) -> str:
        """Name of the setting of this time; "" for a fixed one."""

    def survey(self, now: datetime) -> KindSurvey:
        """Count the items and those past their time; change nothing."""

    def prune(self, now: datetime, most: int) -> int:
        """Take away at most so many items past their time; return their number."""


_kinds: dict[str, AgingKind] = {}


def register(*added: AgingKind) -> None:
    """Register kinds of an app."""
    for kind in added:
        assert kind.name not in _kinds, kind.name
        _kinds[kind.name] = kind


def registered() -> list[AgingKind]:
    """Return the kinds of all apps by name."""
    return [_kinds[name] for name in sorted(_kinds)]
