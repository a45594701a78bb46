"""Seasons and finished tournaments of the tests."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Club, User
from tests.tournaments.cast import BUY_IN, offer
from tests.tournaments.club_scene import person
from tournaments.models import Entry, Tournament
from tournaments.seasons import making
from tournaments.seasons.making import SeasonTerms
from tournaments.seasons.models import Season


def terms(**more: Any) -> SeasonTerms:
    """Terms of a season around today with one point per beaten entry."""
    today = timezone.now().date()
    first: dict[str, Any] = {
        "name": "Autumn",
        "first_day": today - timedelta(days=30),
        "last_day": today + timedelta(days=30),
        "formula": "field - place + 1",
    }
    return SeasonTerms(**(first | more))


def organiser() -> User:
    """A superuser, who makes seasons of the room."""
    return person("Rita", is_staff=True, is_superuser=True)


def season(club: Club | None = None, actor: User | None = None, **more: Any) -> Season:
    """A season of a club by its owner Olga, or of the room."""
    owner = actor or (organiser() if club is None else person("Olga"))
    return making.make_season(owner, club, terms(**more))


def finished(*names: str, on: date | None = None, **fields: Any) -> Tournament:
    """A finished tournament of these players, best first, without hands."""
    made = offer(**({"players_max": max(2, len(names))} | fields))
    return put_places(made, names, on)


def put_places(made: Tournament, names: tuple[str, ...], on: date | None = None) -> Tournament:
    """Write the result of a tournament as its end does."""
    day = timezone.now() if on is None else timezone.now().replace(on.year, on.month, on.day)
    Tournament.objects.filter(pk=made.pk).update(
        state="finished",
        entrants=len(names),
        left=1,
        pool=BUY_IN * len(names),
        started_ms=int(day.timestamp() * 1_000),
        finished_at=timezone.now() - timedelta(hours=1),
    )
    for place, name in enumerate(names, start=1):
        Entry.objects.create(
            tournament=made,
            user=person(name),
            name=name,
            number=place,
            place=place,
            state=Entry.State.WON if place == 1 else Entry.State.OUT,
        )
    made.refresh_from_db()
    return made
