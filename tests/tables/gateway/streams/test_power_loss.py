"""Redis that comes back: what was told holds, or the hand is void and everybody is told."""

from __future__ import annotations

import pytest
from redis import Redis

from config import limits
from tables.dealer.state import TableState
from tables.models import Table
from tables.store import fenced, keys
from tables.workers.timers import Timer
from tests.tables import playing
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game
from tests.tables.gateway.sockets import Client, wait_for
from tests.tables.gateway.streams.power import DurableRedis, durable, game

__all__ = ["durable", "game", "site"]

pytestmark = pytest.mark.django_db(transaction=True)


def _come(game: Game) -> dict[int, Client]:
    """Clients of all players by seat, at a web process that the room knows."""
    clients = {seat.seat: game.client(seat.seat) for seat in game.state.seats}
    wait_for(lambda: game.room.hlen(keys.gateways(0)))
    return clients


def _see_the_flop(game: Game, durable: DurableRedis) -> tuple[dict[int, Client], int]:
    """Let the players come, call and check, be told so, and see the flop.

    Return their clients by seat, and the size of the file of Redis before the call.
    """
    clients = _come(game)
    before_the_call = durable.size()
    for action in ("call", "check"):
        actor = clients[game.actor]
        actor.say(**game.command(action))
        game.work()
        assert actor.expect("result")["ok"]
    for client in clients.values():
        _until(client, "street_dealt")
    return clients, before_the_call


def _until(client: Client, kind: str) -> None:
    while kind not in {event["type"] for message in client.heard for event in _events(message)}:
        client.heard.append(client.next())


def _events(message: dict) -> list[dict]:  # type: ignore[type-arg]
    return message["events"] if message["type"] == "events" else []


def _hears_of_the_void(client: Client, hand: int) -> bool:
    """Read on until the client is told that the hand is void, by an event or a snapshot."""
    while True:
        message = client.next()
        if message["type"] == "snapshot" and message["state"]["voided"] == hand:
            return True
        if ("hand_voided", hand) in {(e["type"], e.get("hand")) for e in _events(message)}:
            return True


def _adopt(room: Redis) -> None:
    """Sweep as the timer of a settle worker does, until the run of Redis is adopted."""
    timer = Timer(room, adopts=True)
    wait_for(lambda: timer.sweep(0) and room.get(keys.run(0)) is not None and _loads(room))


def _loads(room: Redis) -> bool:
    table = Table.objects.get()
    try:
        return fenced.load(room, table.pk) is not None
    except fenced.NotAdopted:
        return False


def _state(game: Game) -> TableState:
    state = fenced.peek(game.room, game.row.pk)
    assert state is not None
    return state


def test_players_find_all_that_they_were_told_after_a_loss_of_power(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    clients, _ = _see_the_flop(game, durable)
    durable.come_back()
    with pytest.raises(fenced.NotAdopted):
        fenced.load(room, game.row.pk)
    _adopt(room)
    after = _state(game)
    assert (after.epoch, after.seq, after.actions) == (
        game.state.epoch,
        game.state.seq,
        game.state.actions,
    )
    for client in clients.values():
        snapshot = client.expect("snapshot")["state"]
        assert (snapshot["epoch"], len(snapshot["board"])) == (game.state.epoch, 3)


def test_a_hand_is_void_for_all_when_redis_forgot_what_they_were_told(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    clients, before_the_call = _see_the_flop(game, durable)
    assert durable.size() > before_the_call
    durable.come_back(cut_to=before_the_call)
    _adopt(room)
    after = _state(game)
    assert (after.epoch, after.phase) == (game.state.epoch + 1, "boundary")
    assert [seat.chips for seat in after.seats] == [2_000, 2_000]
    for client in clients.values():
        assert _hears_of_the_void(client, game.state.hand_number)
    assert playing.run(room, game.row.pk).phase == "hand"


def test_a_hand_is_void_when_those_who_were_told_have_left(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    clients, before_the_call = _see_the_flop(game, durable)
    for client in clients.values():
        client.cut()
    wait_for(lambda: not game.site.ask(lambda gateway: list(gateway._feeds)))
    durable.come_back(cut_to=before_the_call)
    _adopt(room)
    after = _state(game)
    assert (after.epoch, after.voided) == (game.state.epoch + 1, game.state.hand_number)


def test_snapshot_of_the_hand_dealt_in_place_of_a_void_one_names_the_void_hand(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    clients, before_the_call = _see_the_flop(game, durable)
    void = game.state.hand_number
    for client in clients.values():
        client.cut()
    durable.come_back(cut_to=before_the_call)
    _adopt(room)
    game.state = playing.run(room, game.row.pk)
    late = game.client(game.actor)
    assert (late.snapshot["state"]["hand"], late.snapshot["state"]["voided"]) == (void, void)
    while game.state.hand_number == void:
        game.play_calmly(1)
    assert game.watcher().snapshot["state"]["voided"] is None


def test_nobody_sees_a_table_of_a_server_that_is_not_adopted(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    _, before_the_call = _see_the_flop(game, durable)
    durable.come_back(cut_to=before_the_call)
    onlooker = game.site.client()
    onlooker.say(type="subscribe", stream=game.stream)
    wait_for(lambda: room.zscore(keys.wakes(0), keys.table(game.row.pk)) == 0)
    _adopt(room)
    seen = onlooker.expect("snapshot")["state"]
    assert (seen["epoch"], seen["voided"]) == (game.state.epoch + 1, game.state.hand_number)


def test_a_server_that_syncs_once_a_second_is_not_believed(
    game: Game, room: Redis, durable: DurableRedis
) -> None:
    clients, _ = _see_the_flop(game, durable)
    durable.come_back()
    room.config_set("appendfsync", "everysec")
    _adopt(room)
    assert _state(game).epoch == game.state.epoch + 1
    for client in clients.values():
        assert _hears_of_the_void(client, game.state.hand_number)


def test_a_loss_found_after_the_adoption_voids_the_hands(
    game: Game, room: Redis, durable: DurableRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients, before_the_call = _see_the_flop(game, durable)
    monkeypatch.setattr(limits, "WITNESSES_WAIT_MS", 0)
    durable.come_back(cut_to=before_the_call)
    timer = Timer(room, adopts=True)
    wait_for(lambda: timer.sweep(0) and _state(game).epoch == game.state.epoch + 1)
    for client in clients.values():
        assert _hears_of_the_void(client, game.state.hand_number)
