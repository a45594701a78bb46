"""Chain of hashes over the public events of a hand (section 3, "Course")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

import msgspec

from tables.engine.events import Event
from tables.fairness.encoding import digest, tag

FIELDS: dict[str, tuple[str, ...]] = {
    "button_drawn": ("cards", "button"),
    "hand_began": (
        "hand", "variant", "limit", "button", "small_blind", "big_blind", "stacks",
    ),
    "posted": ("seat", "kind", "amount"),
    "hole_cards_dealt": ("seat", "cards", "up"),
    "folded": ("seat",),
    "checked": ("seat",),
    "called": ("seat", "amount"),
    "bet": ("seat", "amount"),
    "raised": ("seat", "to", "amount"),
    "uncalled_returned": ("seat", "amount"),
    "bets_collected": ("pots",),
    "rake_taken": ("amount",),
    "hands_revealed": ("hands",),
    "street_dealt": ("street", "cards"),
    "cards_shown": ("seat", "cards"),
    "mucked": ("seat",),
    "pot_awarded": ("pot", "half", "amount", "rake", "winners"),
    "hand_ended": ("hand", "stacks"),
}  # fmt: skip
"""Fields of each event in its line; fields added later change no line."""

PublicEvent = Mapping[str, object]
"""An event as the public stream told it: its JSON, decoded."""


def course_line(event: PublicEvent) -> str:
    """Return the event as one line of text; raise ValueError for one that has no place in it."""
    kind = event.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"no line for an event of type {kind!r}")
    try:
        return " ".join([kind, *[_text(event[field]) for field in FIELDS[kind]]])
    except KeyError as missing:
        raise ValueError(f"{kind} without {missing}") from missing


def event_line(event: Event) -> str | None:
    """Return the line of an event as all see it, None for one that has no place in a course."""
    made = _LINES.get(kind := type(event))
    if made is None:
        tag = kind.__struct_config__.tag
        fields = FIELDS.get(tag) if isinstance(tag, str) else None
        made = _LINES[kind] = (f"{tag} ", attrgetter(*fields) if fields else None, fields or ())
    begins, values, fields = made
    if values is None:
        return None
    if len(fields) == 1:
        return begins + _text(values(event))
    return begins + " ".join(map(_text, values(event)))


_LINES: dict[type[Event], tuple[str, Any, tuple[str, ...]]] = {}
"""First word, getter of the values, and fields of the line of each kind of event."""


def first_link(hand: bytes, seal: bytes) -> bytes:
    """Return the link before the first event of a hand."""
    return digest(tag("course"), hand, seal)


def next_link(link: bytes, event: PublicEvent) -> bytes:
    """Return the link after the event."""
    return line_link(link, course_line(event))


def line_link(link: bytes, line: str) -> bytes:
    """Return the link after the event with this line."""
    return digest(link, line.encode())


def course_of(hand: bytes, seal: bytes, events: Iterable[PublicEvent]) -> bytes:
    """Return the last link over the public events, `button_drawn` or `hand_began` first."""
    link = first_link(hand, seal)
    for event in events:
        link = next_link(link, event)
    return link


def _text(value: object) -> str:
    """Return null as "-", lists and the values of objects in brackets."""
    # Most values are numbers and texts, of which a hand has about 150.
    if isinstance(value, int | str):
        return str(value)
    if value is None:
        return "-"
    if isinstance(value, list | tuple):
        return f"({' '.join(map(_text, value))})"
    if isinstance(value, Mapping):
        return f"({' '.join(map(_text, value.values()))})"
    if isinstance(value, msgspec.Struct):
        return f"({' '.join(map(_text, msgspec.structs.astuple(value)))})"
    return str(value)
