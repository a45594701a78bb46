"""Deleted accounts and ring games: chips, pool places and waiting lists refuse the deletion."""

from __future__ import annotations

import pytest
from django.test import Client
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from tables.models import Hand
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.sessions import leaving, sit_down, waiting_list
from tables.workers import settle
from tests.tables.ring.rapid import rapid_cast
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db(transaction=True)


def test_chips_at_a_table_and_a_place_in_a_pool_refuse_the_deletion(room: Redis) -> None:
    ring, pool = cast.game(name="Oak"), rapid_cast.pool(name="Fast")
    user = cast.player()
    sit_down.sit(user, ring.pk, amount=50_00)
    words = refused("seated_still", lambda: deleting.delete(user))
    assert "You have chips in Oak" in words
    sit_down.sit(user, pool.pk, amount=50_00)
    assert "Oak, Fast" in refused("seated_still", lambda: deleting.delete(user))


def test_a_hand_of_a_pool_that_was_folded_before_leaving_refuses_the_deletion(room: Redis) -> None:
    pool = rapid_cast.pool(name="Fast")
    rapid_cast.joined(pool, 3)
    [table] = rapid_cast.tables(pool)
    cast.begin(room, table)
    folder = User.objects.get(pk=rapid_cast.fold(room, table))
    leaving.leave(folder, rapid_cast.session(folder).pk)
    settle.settle(room, rapid_cast.tables(pool)[1].pk)
    assert rapid_cast.session(folder).state == "left"
    assert "Fast" in refused("seated_still", lambda: deleting.delete(folder))
    rapid_cast.fold(room, table)
    cast.after(room, table)
    assert deleting.delete(folder) == f"deleted-{folder.pk}"
    cast.law()


def test_a_place_on_a_waiting_list_refuses_the_deletion(room: Redis) -> None:
    ring, user = cast.game(name="Oak"), cast.player()
    WaitingPlayer.objects.create(game=ring, user=user)
    words = refused("waiting_still", lambda: deleting.delete(user))
    assert "You wait for a seat in Oak" in words
    waiting_list.give_up(user, ring.pk)
    assert deleting.delete(user) == f"deleted-{user.pk}"


def test_a_player_who_has_left_is_anonymous_in_sessions_and_hands(room: Redis) -> None:
    ring, user, other = cast.game(), cast.player("Marigold"), cast.player()
    session = sit_down.sit(user, ring.pk, amount=50_00)
    sit_down.sit(other, ring.pk, amount=50_00)
    table = cast.table_of(ring)
    cast.begin(room, table)
    leaving.leave(user, session.pk)
    cast.fold_around(room, table)
    assert RingSession.objects.get(pk=session.pk).state == "left"
    before = cast.balance(user)
    name = deleting.delete(user)
    assert RingSession.objects.get(pk=session.pk).name == name == User.objects.get(pk=user.pk).name
    assert cast.balance(user) == before
    client = Client()
    hands = Hand.objects.filter(table=table)
    assert hands.exists()
    for address in ("", *(f"{row.number}/" for row in hands)):
        page = client.get(f"/tables/{table.pk}/hands/{address}").content.decode()
        assert "Marigold" not in page
    assert name in page
    cast.law()
