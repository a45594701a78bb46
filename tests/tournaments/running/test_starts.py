"""Upcoming starts on a player's own stream, on every page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tables.gateway.streams.known_kinds import kind_of
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.models import Announcement, Tournament
from tournaments.running import operations


def tonight(hours: int, **fields: Any) -> Tournament:
    """A tournament that starts in this many hours."""
    starts_at = timezone.now() + timedelta(hours=hours)
    return open_offer(start="scheduled", starts_at=starts_at, **fields)


def starts(user: User) -> list[dict[str, Any]]:
    """Upcoming starts in a snapshot of the player's stream."""
    kind = kind_of(f"user:{user.pk}")
    assert kind is not None
    made = async_to_sync(kind.provider)(f"user:{user.pk}", user.pk)
    assert made is not None
    return msgspec.json.decode(made[1])["starts"]  # type: ignore[no-any-return]


def ms(moment: datetime | None) -> int:
    """Time in ms since the epoch."""
    assert moment is not None
    return int(moment.timestamp() * 1_000)


def notice(user: User) -> dict[str, Any]:
    """Last notice on the player's stream."""
    last = Announcement.objects.filter(stream=f"user:{user.pk}").order_by("-seq")[0]
    return msgspec.json.decode(bytes(last.payload))  # type: ignore[no-any-return]


@pytest.mark.rule("T-04")
def test_the_snapshot_of_a_player_has_only_own_upcoming_starts(house: Redis) -> None:
    [player, other] = bots.create(2)
    later, soon = tonight(2, name="Later"), tonight(1, name="Soon")
    for tournament in (later, soon, open_offer()):
        registration.register(player, tournament)
    registration.register(other, tonight(1))
    wanted = [(soon.pk, "Soon", ms(soon.starts_at)), (later.pk, "Later", ms(later.starts_at))]
    assert [tuple(start.values()) for start in starts(player)] == wanted
    registration.unregister(player, soon)
    operations.cancel(later.pk)
    assert starts(player) == []


@pytest.mark.rule("T-04")
def test_a_start_is_upcoming_until_the_tournament_begins(house: Redis) -> None:
    [player, other] = bots.create(2)
    tournament = tonight(1)
    registration.register(player, tournament)
    assert len(starts(player)) == 1
    registration.register(other, tournament)
    operations.start(tournament.pk)
    assert starts(player) == []


@pytest.mark.rule("T-04")
def test_a_registered_player_is_notified_of_the_start_unless_it_has_passed(house: Redis) -> None:
    first, second, third = bots.create(3)
    tournament = tonight(1, late_ends="at_level", late_value=3)
    registration.register(first, tournament)
    assert notice(first)["starts_at_ms"] == ms(tournament.starts_at)
    registration.register(first, sit_and_go := open_offer())
    assert notice(first)["tournament"] == sit_and_go.pk
    assert notice(first)["starts_at_ms"] is None
    registration.register(second, tournament)
    operations.start(tournament.pk)
    registration.register(third, tournament)
    rows = Announcement.objects.filter(stream=f"user:{third.pk}").order_by("seq")
    late = msgspec.json.decode(bytes(rows[0].payload))
    assert late["type"] == "registered" and late["starts_at_ms"] is None
