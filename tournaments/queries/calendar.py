"""Scheduled tournaments as an iCalendar file, which phones and desktops subscribe to (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event

from accounts.models import User
from tournaments.engine import blind_plan
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.queries import lobby_rows
from tournaments.schedule import contradictions
from tournaments.words import game

REMEMBERED = timedelta(days=30)
"""Time for which a player's own calendar keeps a tournament after its start."""
OPEN_END = timedelta(hours=4)
"""Length shown for a tournament whose end the levels do not tell."""
REFRESH = timedelta(hours=1)
"""Interval in which calendars are asked to read the file again."""


def ahead() -> list[Tournament]:
    """Return the scheduled tournaments before their start that the lobby shows to everybody."""
    shown = [row.summary.tournament for row in lobby_rows.in_lobby(None) if row.is_ahead]
    rows = Tournament.objects.filter(pk__in=shown, starts_at__isnull=False)
    return list(rows.order_by("starts_at", "pk"))


def entered(user: User) -> list[Tournament]:
    """Return the scheduled tournaments of a player's entries, ended ones for `REMEMBERED`."""
    entries = Entry.objects.filter(user=user).exclude(state=Entry.State.UNREGISTERED)
    rows = Tournament.objects.filter(
        starts_at__gte=timezone.now() - REMEMBERED, pk__in=entries.values("tournament")
    )
    return list(rows.order_by("starts_at", "pk"))


def as_ical(name: str, tournaments: Iterable[Tournament]) -> bytes:
    """Return a calendar of this name with one event for each tournament; times in UTC."""
    calendar = Calendar()
    calendar.add("prodid", "-//Poker room//Tournaments//EN")
    calendar.add("version", "2.0")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    for tournament in tournaments:
        if tournament.starts_at is not None:
            calendar.add_component(_event(tournament, tournament.starts_at))
    return bytes(calendar.to_ical())


def _event(tournament: Tournament, starts_at: datetime) -> Event:
    address = settings.PUBLIC_URL + reverse("tournament", args=[tournament.pk])
    event = Event()
    event.add("uid", f"tournament-{tournament.pk}@{urlsplit(settings.PUBLIC_URL).hostname}")
    event.add("dtstamp", timezone.now())
    event.add("dtstart", starts_at)
    event.add("dtend", starts_at + _length(tournament))
    event.add("summary", tournament.name)
    event.add("description", f"{game(tournament.variant, tournament.limit)}\n{address}")
    event.add("url", address)
    cancelled = tournament.state == State.CANCELLED
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    return event


def _length(tournament: Tournament) -> timedelta:
    """Return the expected length with the entries of now, with the minimum players at least."""
    ends_ms = blind_plan.forecast_ms(
        tournament.levels(),
        terms=contradictions.terms(tournament),
        players=max(tournament.entrants, tournament.players_min),
        stack=tournament.starting_stack,
        play_time_ms=tournament.play_time_ms,
    )
    return OPEN_END if ends_ms is None else timedelta(milliseconds=ends_ms)
