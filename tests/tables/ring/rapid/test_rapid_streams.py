"""Streams of rapid tables: a player's seat is another entry in each hand."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from accounts.models import User
from tables.dealer.state import TableState
from tables.models import Table
from tables.ring.sessions import leaving
from tables.store import fenced, keys
from tables.workers import settle
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Client, Site
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast

__all__ = ["site"]


def _of_two(room: Redis) -> tuple[Table, list[User], TableState]:
    game = pools.pool()
    users = pools.joined(game, 2)
    [table] = pools.tables(game)
    settle.settle(room, table.pk)
    state = fenced.peek(room, table.pk)
    assert state is not None and state.phase == "granted"
    return table, users, state


def _away(site: Site, user: User, table: Table) -> str:
    """Follow a table and lose the connection; return the id of the last event."""
    client = site.client(user)
    last: str = client.follow(keys.table(table.pk))["id"]
    client.cut()
    return last


def _back(site: Site, user: User, table: Table, after: str) -> tuple[Client, dict[str, Any]]:
    client = site.client(user)
    client.say(type="subscribe", stream=keys.table(table.pk), after=after)
    return client, client.next()


@pytest.mark.rule("R-03", "H-01")
def test_a_player_who_missed_a_whole_hand_gets_a_snapshot(site: Site, room: Redis) -> None:
    table, [user, _], before = _of_two(room)
    last = _away(site, user, table)
    cast.begin(room, table)
    pools.fold_to_end(room, table)
    state = fenced.peek(room, table.pk)
    assert state is not None
    assert {seat.user for seat in state.seats} == {seat.user for seat in before.seats}
    _, told = _back(site, user, table, last)
    assert told["type"] == "snapshot", "events would hide the cards of the former entry"


@pytest.mark.rule("R-03", "H-01")
def test_a_player_who_missed_the_last_hand_gets_a_snapshot(site: Site, room: Redis) -> None:
    table, [user, _], _ = _of_two(room)
    last = _away(site, user, table)
    cast.begin(room, table)
    leaving.leave(user, pools.session(user).pk)
    pools.fold_to_end(room, table)
    state = fenced.peek(room, table.pk)
    assert state is not None and not state.seats
    _, told = _back(site, user, table, last)
    assert told["type"] == "snapshot", "events would hide the cards of the former entry"


def test_a_player_resumes_within_a_hand(site: Site, room: Redis) -> None:
    table, [user, _], _ = _of_two(room)
    last = _away(site, user, table)
    cast.begin(room, table)
    client, told = _back(site, user, table, last)
    dealt = [one for one in told["events"] if one["type"] == "hole_cards_dealt"]
    assert sorted("??" in one["cards"] for one in dealt) == [False, True]
    client.close()


def test_a_spectator_resumes_over_changes_of_seats(site: Site, room: Redis) -> None:
    table, *_ = _of_two(room)
    watching = site.client()
    last = watching.follow(keys.table(table.pk))["id"]
    watching.cut()
    cast.begin(room, table)
    pools.fold_to_end(room, table)
    again = site.client()
    again.say(type="subscribe", stream=keys.table(table.pk), after=last)
    kinds = {one["type"] for one in again.next()["events"]}
    assert {"hand_began", "seat_left", "seat_taken"} <= kinds
