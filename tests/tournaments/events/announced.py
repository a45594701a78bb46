"""Events announced on a stream, read from the database."""

from __future__ import annotations

from tournaments.models import Announcement, Tournament


def event_types(stream: str) -> list[str]:
    """Types of the events on a stream, in order."""
    rows = Announcement.objects.filter(stream=stream).order_by("seq")
    return [bytes(row.payload).split(b'"')[3].decode() for row in rows]


def events_of_type(stream: str, kind: str) -> list[bytes]:
    """Events of one type on a stream, as JSON."""
    rows = Announcement.objects.filter(stream=stream).order_by("seq")
    payloads = [bytes(payload) for payload in rows.values_list("payload", flat=True)]
    return [payload for payload in payloads if f'"{kind}"'.encode() in payload]


def tournament_event_types(tournament: Tournament) -> list[str]:
    """Types of the events on the tournament's stream, in order."""
    return event_types(tournament.member)
