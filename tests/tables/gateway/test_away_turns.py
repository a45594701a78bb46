"""Turns told to players whose table no window shows, and to nobody else."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from msgspec import structs
from redis import Redis

from accounts.models import User
from accounts.notifications.kinds import Notice
from config import clock
from tables.models import Seat
from tables.monitor import away_turns
from tables.monitor.away_turns import find_turns
from tables.store import fenced, keys
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game

__all__ = ["game", "site"]


def told(*users: User) -> list[tuple[int, str]]:
    asking = User.objects.filter(pk__in=[user.pk for user in users])
    return [(notice.user, notice.link) for notice in find_turns(timezone.now(), asking)]


def test_a_turn_is_told_to_its_player_without_a_window(game: Game, room: Redis) -> None:
    actor, *others = (game.user(seat) for seat in (game.actor, *game.others))
    assert told(actor, *others) == [(actor.pk, f"/tables/{game.row.pk}/")]
    assert told(*others) == [], "only players who asked are told"
    [notice] = find_turns(timezone.now(), User.objects.all())
    assert game.state.turn is not None
    deadline = datetime.fromtimestamp(game.state.turn.deadline_ms / 1_000, UTC)
    assert notice.expires_at == deadline and notice.words()[0] == "Your turn"
    again = next(iter(find_turns(timezone.now() + timedelta(seconds=5), User.objects.all())))
    assert again.key == notice.key, "one turn is one notification"
    client = game.client(game.actor)
    # A busy machine may beat for the window only after its first snapshot.
    ends_s = time.monotonic() + 10
    while told(actor, *others) and time.monotonic() < ends_s:
        time.sleep(0.05)
    assert told(actor, *others) == []
    # The web process died with the window: the room hears nothing of it any more.
    gateways = keys.gateways(keys.shard(game.stream, settings.SHARDS))
    room.hset(gateways, mapping=dict.fromkeys(room.hkeys(gateways), 0))
    tabs = keys.tabs(game.stream, settings.SHARDS)
    room.hset(tabs, str(actor.pk), "deadbeef" + "0" * 32)
    assert told(actor, *others) == [(actor.pk, f"/tables/{game.row.pk}/")]
    client.close()


def test_each_turn_is_told_however_soon_it_follows(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, turn = game.state, game.state.turn
    assert turn is not None
    # The player came, acted and closed the window; the others were quick.
    second = structs.replace(turn, turn=turn.turn + 3, asked_ms=turn.asked_ms + 1)
    again = structs.replace(first, turn=second)
    dealt_anew = structs.replace(first, epoch=first.epoch + 1)
    notices: list[Notice] = []
    for state in (first, again, dealt_anew):
        monkeypatch.setattr(fenced, "peek_open_all", lambda *_, found=state: [found])
        notices += find_turns(timezone.now(), User.objects.filter(pk=game.user(game.actor).pk))
    assert len({notice.key for notice in notices}) == 3


def test_a_turn_is_told_behind_any_number_of_other_seats(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(away_turns, "SEATS_AT_ONCE", 1)
    seat = Seat.objects.get(user=game.user(game.actor))
    seat.delete()
    Seat.objects.bulk_create([seat])
    assert [notice.user for notice in find_turns(timezone.now(), User.objects.all())] == [
        game.user(game.actor).pk
    ]


def test_nothing_is_told_of_hands_that_are_being_shown_or_over(
    game: Game, room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:

    players = [game.user(seat.seat) for seat in game.state.seats]
    assert len(told(*players)) == 1
    shown = structs.replace(game.state, phase="run_out", turn=None)
    absent = structs.replace(
        game.state,
        seats=tuple(structs.replace(seat, absent=True) for seat in game.state.seats),
    )
    for state in (shown, absent, None):
        monkeypatch.setattr(fenced, "peek_open_all", lambda *_, found=state: [found] * 3)
        assert told(*players) == []
    monkeypatch.undo()
    Seat.objects.all().delete()
    assert told(*players) == []
    assert clock.redis_now_ms(room) > 0
