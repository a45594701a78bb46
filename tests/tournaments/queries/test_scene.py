"""A scene, equal for all visitors: read once a second for a large field, at once for a small."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from redis import Redis

from accounts.users import bots
from config import limits
from tables.models import Seat
from tests.tournaments.cast import STACK, open_offer, started
from tournaments.entries import registration
from tournaments.events import outbox
from tournaments.models import StreamHead, Tournament
from tournaments.queries.scene import Scene, forget_scenes, scene

MANY = limits.SCENE_SHARED_FROM + 1


def _as_large(tournament: Tournament) -> Tournament:
    Tournament.objects.filter(pk=tournament.pk).update(entrants=MANY, players_max=2 * MANY)
    return Tournament.objects.get(pk=tournament.pk)


def _happens(tournament: Tournament) -> None:
    """Raise a stack and tell something, as a settled hand does."""
    seat = Seat.objects.order_by("pk").first()
    assert seat is not None
    Seat.objects.filter(pk=seat.pk).update(chips=STACK + 777)
    head = StreamHead.objects.get(stream=outbox.tournament(tournament.pk))
    StreamHead.objects.filter(pk=head.pk).update(seq=head.seq + 1)


def _largest(seen: Scene) -> int:
    return seen.overview.largest


def test_a_small_field_is_seen_as_it_is_after_each_event(house: Redis) -> None:
    tournament = started(4)
    before = scene(tournament)
    _happens(tournament)
    after = scene(tournament)
    assert (_largest(before), _largest(after)) == (STACK, STACK + 777)
    assert after.at == f"0-{outbox.head(outbox.tournament(tournament.pk))}" != before.at


def test_a_large_field_is_read_once_for_many_looks(
    house: Redis, django_assert_num_queries: Any
) -> None:
    tournament = _as_large(started(4))
    first = scene(tournament)
    _happens(tournament)
    with django_assert_num_queries(0):
        assert all(scene(tournament) is first for _ in range(20))
    head = outbox.head(outbox.tournament(tournament.pk))
    assert int(first.at.removeprefix("0-")) < head, "the page sees that it lacks an event"
    forget_scenes()
    later = scene(tournament)
    assert (_largest(later), later.at) == (STACK + 777, f"0-{head}")


@pytest.mark.parametrize(
    "changed",
    [
        {"state": "finished"},
        {"stops": ["admin"]},
        {"final_table": True},
        {"hand_for_hand": True},
        {"entries_open": True},
        {"rebuys_open": True},
        {"stage": 2},
    ],
)
def test_a_large_field_in_another_state_is_read_anew(house: Redis, changed: dict[str, Any]) -> None:
    tournament = _as_large(started(4))
    before = scene(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(**changed)
    after = scene(Tournament.objects.get(pk=tournament.pk))
    assert after is not before
    assert after.overview != before.overview


def test_each_language_has_its_own_feed(house: Redis) -> None:
    tournament = _as_large(started(4))
    with override("de"):
        german = scene(tournament)
    with override("en"):
        english = scene(tournament)
    assert german.feed != english.feed
    assert {line.words for line in english.feed} & {"The tournament starts: 4 players"}


def test_a_page_has_its_visitors_own_part_of_a_shared_scene(house: Redis, client: Client) -> None:
    tournament = _as_large(started(4))
    seat = Seat.objects.order_by("pk").select_related("user").first()
    assert seat is not None
    address = f"/tournaments/{tournament.pk}/"
    own = f"rank 1, at table {seat.table.number}, seat {seat.seat}"
    assert own not in client.get(address).content.decode(), "a visitor plays nowhere"
    client.force_login(seat.user)
    assert own in client.get(address).content.decode()


def test_registration_is_seen_at_once_in_a_large_field(house: Redis, client: Client) -> None:
    tournament = _as_large(open_offer(players_max=2 * MANY))
    player = bots.create(1)[0]
    address = f"/tournaments/{tournament.pk}/"
    words = "The table opens by itself when the tournament starts."
    assert words not in client.get(address).content.decode()
    client.force_login(player)
    assert words not in client.get(address).content.decode()
    registration.register(player, tournament)
    assert words in client.get(address).content.decode()
