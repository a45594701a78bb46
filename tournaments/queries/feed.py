"""The live feed of a tournament: its latest stream events, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from accounts.templatetags.amounts import chips, money
from tables.engine.events import Event
from tables.templatetags.stakes import stakes
from tournaments import words
from tournaments.events import outbox
from tournaments.events.buying import EntriesClosed, RebuysClosed
from tournaments.events.client_events import (
    BreakBegan,
    FinalTable,
    HandForHandBegan,
    HandForHandEnded,
    LevelBegan,
    Paused,
    PlayerOut,
    Resumed,
    Started,
    TournamentTableClosed,
)
from tournaments.events.formats import Finished
from tournaments.models import Announcement, Entry, Tournament

LOOKED_AT = 400
"""Number of newest events read: in a full field most of them are moves and entries."""


class FeedRow(msgspec.Struct, frozen=True):
    """One line of the feed."""

    at: datetime
    words: str


def feed(tournament: Tournament, count: int) -> list[FeedRow]:
    """Return the newest lines, the latest first.

    Only published events are read, so that the feed is never ahead of the streams.
    """
    stream = outbox.tournament(tournament.pk)
    rows = Announcement.objects.filter(stream=stream, published=True).order_by("-seq")
    told: list[tuple[datetime, Any]] = []
    for at, payload in rows.values_list("at", "payload")[:LOOKED_AT]:
        event = _decoded(bytes(payload))
        if event is not None:
            told.append((at, event))
        if len(told) == count:
            break
    names = _names_of_deleted(getattr(event, "entry", None) for _, event in told)
    return [FeedRow(at, _words(event, tournament, names)) for at, event in told]


def _names_of_deleted(entries: Iterable[int | None]) -> dict[int, str]:
    """Return the anonymous names of deleted accounts by entry; events keep the former ones."""
    wanted = [entry for entry in entries if entry is not None]
    rows = Entry.objects.filter(pk__in=wanted, user__deleted_at__isnull=False)
    return dict(rows.values_list("pk", "name")) if wanted else {}


def _decoded(payload: bytes) -> Any:
    """Return the event of a line; None for events without one."""
    kind = _tag(payload).type
    return _DECODERS[kind](payload) if kind in _DECODERS else None


def _words(event: Any, tournament: Tournament, names: dict[int, str]) -> str:
    entry = getattr(event, "entry", None)
    if entry in names:
        event = msgspec.structs.replace(event, name=names[entry])
    return _SAYS[type(event)](event, tournament)


class _Tagged(msgspec.Struct):
    type: str


_tag = msgspec.json.Decoder(_Tagged).decode


def _out(event: PlayerOut, _of: Tournament) -> str:
    facts = {"name": event.name, "left": chips(event.left), "prize": money(event.prize)}
    if event.prize:
        return _("%(name)s is out and wins %(prize)s, %(left)s left") % facts
    return _("%(name)s is out, %(left)s left") % facts


def _paused(event: Paused, _of: Tournament) -> str:
    why = words.why(event.reason)
    return _("Paused: %(why)s") % {"why": why} if why else _("Paused")


def _level(event: LevelBegan, of: Tournament) -> str:
    return _("Level %(level)s: %(stakes)s") % {
        "level": event.level,
        "stakes": stakes(event.stakes, of.limit),
    }


_SAYS: dict[type[Event], Callable[[Any, Tournament], str]] = {
    Started: lambda event, of: (
        _("The tournament starts: %(players)s players") % {"players": chips(event.entrants)}
    ),
    PlayerOut: _out,
    TournamentTableClosed: lambda event, of: (
        _("Table %(number)s is closed") % {"number": event.number}
    ),
    LevelBegan: _level,
    BreakBegan: lambda event, of: _("The break begins"),
    FinalTable: lambda event, of: _("Final table: %(left)s left") % {"left": event.left},
    EntriesClosed: lambda event, of: _("Late registration is over"),
    RebuysClosed: lambda event, of: _("The re-buy period is over"),
    HandForHandBegan: lambda event, of: _("Hand for hand begins"),
    HandForHandEnded: lambda event, of: _("Hand for hand is over"),
    Paused: _paused,
    Resumed: lambda event, of: _("The tournament goes on"),
    Finished: lambda event, of: _("%(name)s wins the tournament") % {"name": event.name},
}

_DECODERS = {str(kind.__struct_config__.tag): msgspec.json.Decoder(kind).decode for kind in _SAYS}
