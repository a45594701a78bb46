"""Cuts over sockets: from the player's own connection to the inbox; from anybody else refused."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from redis import Redis

from config import limits
from tables.dealer.state import TableState
from tables.fairness.cutting import pledge_of
from tables.store import fenced
from tables.workers import advance, sealing, settle
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Site, users, wait_for

__all__ = ["game", "site"]

SEED = bytes(range(32))


def _cut(game: Game, **said: Any) -> dict[str, Any]:
    at = {"table": game.row.pk, "epoch": game.state.epoch, "hand": game.state.hand_number}
    return {"type": "cut", **at, **said}


def _has_more(game: Game, waiting: int) -> bool:
    return game.waiting() > waiting


def _called(game: Game, room: Redis) -> TableState:
    """End the hand by folds, up to the call of the next."""
    while True:
        state = fenced.peek(room, game.row.pk)
        assert state is not None
        game.state = state
        if state.phase == "granted":
            return state
        if state.phase == "hand":
            client, waiting = game.client(game.actor), game.waiting()
            client.say(**game.command("fold"))
            wait_for(partial(_has_more, game, waiting))
            advance.advance(room, game.row.pk)
            client.close()
        else:
            settle.settle(room, game.row.pk)


def _event(client: Client, kind: str) -> dict[str, Any]:
    """Return the next event of this type that a client reads."""
    while True:
        for event in client.expect("events")["events"]:
            if event["type"] == kind:
                return dict(event)


def test_a_player_cuts_and_everybody_sees_the_seed(game: Game, room: Redis) -> None:
    welcome = game.site.client(game.user(1)).welcome
    assert welcome["room"] == sealing.room().hex()
    entry = game.state.at(1).entry
    game.client(1).say(**_cut(game, pledge=pledge_of(sealing.room(), entry, SEED).hex()))
    wait_for(game.waiting)
    watcher = game.watcher()
    state = _called(game, room)
    called = _event(watcher, "cut_called")
    assert called["seats"] == [1] and called["hand"] == state.hand_number
    assert called["deal_ms"] <= called["until_ms"] <= called["deal_ms"] + limits.CUT_WAIT_MS
    player = game.client(1)
    assert player.snapshot["state"]["cutting"]["call"] == called["call"]
    player.say(**_cut(game, seed=SEED.hex()))
    wait_for(game.waiting)
    advance.advance(room, game.row.pk)
    assert [1, 2, SEED.hex()] in _event(watcher, "deck_cut")["cuts"]


def test_a_cut_from_any_other_connection_is_refused(site: Site, game: Game) -> None:
    cut = _cut(game, seed="0f" * 32, pledge="0f" * 32)
    stranger = game.watcher()
    (ann,) = users("ann")
    outsider = game.follow(site.client(ann))
    looks = game.client(1, watch=True)
    first = game.client(2)
    game.client(2)
    first.expect("taken_over")
    away = site.client(game.user(3))
    for client, code in [
        (stranger, "login"),
        (outsider, "not_seated"),
        (looks, "watching"),
        (first, "taken_over"),
        (away, "not_following"),
    ]:
        client.say(**cut)
        refused = client.expect("refused")
        assert refused["code"] == code and refused["message"]
    assert game.waiting() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": "0f" * 31},
        {"seed": "0F" * 32},
        {"seed": "zz" * 32},
        {"pledge": 7},
        {"hand": -1},
        {"epoch": None},
        {"id": "c1"},
    ],
    ids=str,
)
def test_a_malformed_cut_is_refused(game: Game, wrong: dict[str, Any]) -> None:
    client = game.client(1)
    client.line.send(json.dumps({**_cut(game), **wrong}))
    assert client.expect("refused")["code"] == "bad_message"
    assert game.waiting() == 0


def test_a_flood_of_cuts_leaves_room_for_the_action(game: Game) -> None:
    client = game.client(game.actor)
    for _ in range(limits.INBOX_CUTS_PER_SEAT_MAX):
        client.say(**_cut(game, pledge="0f" * 32))
    wait_for(lambda: game.waiting() == limits.INBOX_CUTS_PER_SEAT_MAX)
    for _ in range(5):
        client.say(**_cut(game, pledge="0f" * 32))
    command = game.command("fold")
    client.say(**command)
    wait_for(lambda: game.waiting() > limits.INBOX_CUTS_PER_SEAT_MAX)
    assert game.waiting() == limits.INBOX_CUTS_PER_SEAT_MAX + 1, "the others are dropped"
    game.work()
    client.expect("result", id=command["id"])
