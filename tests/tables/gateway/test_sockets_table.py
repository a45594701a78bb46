"""A table over sockets: visible cards, effects of commands, and the playing tab."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from redis import Redis
from websockets.exceptions import ConnectionClosed

from config import limits
from tables.models import Seat
from tables.store import fenced, keys
from tables.workers import advance, recovery
from tests.conftest import Running, adopt_run
from tests.tables import playing
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.tables.gateway.sockets import Client, Site, users, wait_for

__all__ = ["game", "site"]


def _cards(state: dict[str, Any]) -> dict[int, list[str]]:
    return {seat["seat"]: seat["cards"] for seat in state["seats"]}


def _until(client: Client, stream: str, event_id: str) -> list[dict[str, Any]]:
    """Events of a stream up to a given one, without a gap or a snapshot."""
    events: list[dict[str, Any]] = []
    while not events or events[-1]["id"] != event_id:
        message = client.next()
        assert message["type"] != "snapshot"
        if message["type"] == "events":
            events += message["events"]
    ids = [int(event["id"].partition("-")[2]) for event in events]
    assert ids == list(range(ids[0], ids[0] + len(ids)))
    return events


@pytest.mark.rule("H-01")
def test_a_snapshot_shows_only_own_hole_cards(game: Game) -> None:
    assert game.state.hand is not None
    dealt = {seat.seat: list(seat.cards) for seat in game.state.hand.seats}
    hidden = ["??", "??"]
    for seat in (1, 2, 3):
        seen = _cards(game.client(seat).snapshot["state"])
        assert seen == {other: dealt[other] if other == seat else hidden for other in dealt}
    assert _cards(game.watcher().snapshot["state"]) == dict.fromkeys(dealt, hidden)


def test_each_player_sees_own_cards_in_events_with_common_ids(game: Game) -> None:
    clients = {seat: game.client(seat) for seat in (1, 2, 3)}
    watcher = game.watcher()
    game.play(40)
    last = f"{game.state.epoch}-{game.state.seq}"
    public = _until(watcher, game.stream, last)
    deals = [event for event in public if event["type"] == "hole_cards_dealt"]
    assert len(deals) >= 6, "some hands were dealt, so cards could have leaked"
    assert {card for event in deals for card in event["cards"]} == {"??"}
    seen: dict[str, list[int]] = {}
    for seat, client in clients.items():
        own = _until(client, game.stream, last)
        assert [event["id"] for event in own] == [event["id"] for event in public]
        for mine, theirs in zip(own, public, strict=True):
            if mine["type"] == "hole_cards_dealt":
                assert ("??" in mine["cards"]) == (mine["seat"] != seat)
                if mine["seat"] == seat:
                    seen.setdefault(mine["id"], []).append(seat)
            else:
                assert mine == theirs
    assert all(len(seats) == 1 for seats in seen.values())
    assert seen


def test_a_player_resumes_with_the_own_cards(game: Game) -> None:
    client = game.client(1)
    after = client.snapshot["id"]
    client.cut()
    game.play_calmly(12)
    last = f"{game.state.epoch}-{game.state.seq}"
    again = game.site.client(game.user(1))
    again.say(type="subscribe", stream=game.stream, after=after)
    events = _until(again, game.stream, last)
    dealt = [event for event in events if event["type"] == "hole_cards_dealt"]
    assert any(event["seat"] == 1 for event in dealt)
    for event in dealt:
        assert ("??" in event["cards"]) == (event["seat"] != 1)


def test_an_action_is_acknowledged_and_sent_to_all(game: Game) -> None:
    client, other = game.client(game.actor), game.client(game.others[0])
    actor, command = game.actor, game.command("fold")
    client.say(**command)
    game.work()
    assert client.expect("result", id=command["id"]) == {
        "type": "result",
        "id": command["id"],
        "ok": True,
    }
    for seen in (other, client):
        told = seen.heard if seen.heard else [seen.expect("events")]
        kinds = [(event["type"], event.get("seat")) for event in told[0]["events"]]
        assert ("folded", actor) in kinds


def _refused(game: Game, client: Client, command: dict[str, Any]) -> dict[str, Any]:
    """Refusal of a command that reached the table; asserts that the table did not change."""
    before, turn, told = game.chips(), game.state.turn, game.state.seq
    client.say(**command)
    state = game.work()
    refused = client.expect("refused", id=command["id"])
    assert refused["message"]
    assert (game.chips(), state.turn, state.seq) == (before, turn, told)
    return refused


def test_out_of_turn_is_refused(game: Game) -> None:
    client = game.client(game.others[0])
    assert _refused(game, client, game.command("call"))["code"] == "not_your_turn"


@pytest.mark.rule("B-01")
def test_a_raise_below_the_minimum_is_refused_with_the_legal_amounts(game: Game) -> None:
    client = game.client(game.actor)
    refused = _refused(game, client, game.command("raise", 199))
    assert refused["code"] == "amount_too_small"
    assert 200 in refused["allowed"].values()
    client.say(**game.command("raise", 200, id="again"))
    game.work()
    client.expect("result", id="again")


@pytest.mark.rule("B-05")
@pytest.mark.parametrize("amount", [2_001, 2**53 - 1])
def test_a_raise_above_the_stack_is_refused(game: Game, amount: int) -> None:
    client = game.client(game.actor)
    refused = _refused(game, client, game.command("raise", amount))
    assert refused["code"] == "amount_too_large"
    assert 2_000 in refused["allowed"].values()


@pytest.mark.parametrize("amount", [-1, -200, "200", 200.5, "NaN", None, [200]])
def test_an_amount_that_is_no_number_of_chips_is_refused(
    game: Game, room: Redis, amount: object
) -> None:
    client, before = game.client(game.actor), game.chips()
    command = game.command("raise", id="x") | {"amount": amount}
    if amount is None:
        assert _refused(game, client, command)["code"] == "amount_missing"
    else:
        client.say(**command)
        assert client.expect("refused", id="x")["code"] == "bad_message"
        assert game.waiting() == 0
    assert game.chips() == before


@pytest.mark.parametrize("change", [{"turn": 99}, {"hand": 7}, {"epoch": 9}, {"hand": 0}], ids=str)
def test_another_turn_hand_or_epoch_is_refused(game: Game, change: dict[str, int]) -> None:
    client = game.client(game.actor)
    assert _refused(game, client, game.command("fold", **change))["code"] == "stale_command"


def test_a_finished_hand_takes_no_command(game: Game) -> None:
    clients = {seat: game.client(seat) for seat in (1, 2, 3)}
    first = game.command("fold")
    clients[game.actor].say(**first)
    game.work()
    old, last = game.command("fold"), game.actor
    clients[game.actor].say(**old)
    game.work()
    assert game.state.hand_number == 2
    clients[last].expect("result", id=old["id"])
    late = old | {"id": "late", "action": "call"}
    assert _refused(game, clients[last], late)["code"] == "stale_command"


def test_a_user_without_seat_sends_no_command(game: Game, room: Redis) -> None:
    (stranger,) = users("stranger")
    client = game.follow(game.site.client(stranger))
    client.say(**game.command("fold"))
    assert client.expect("refused")["code"] == "not_seated"
    assert game.waiting() == 0


def test_a_command_for_a_seat_at_another_table_is_refused(game: Game, room: Redis) -> None:
    elsewhere = Game(game.site, room, [500, 500])
    client = game.client(game.actor)
    elsewhere.follow(client)
    client.say(**elsewhere.command("fold"))
    assert client.expect("refused")["code"] == "not_seated"
    assert elsewhere.waiting() == 0


def test_a_repeated_command_acts_once(game: Game) -> None:
    client = game.client(game.actor)
    command = game.command("raise", 300)
    client.say(**command)
    client.say(**command)
    client.say(type="ping", sent_ms=1)
    client.expect("pong")
    assert game.waiting() == 1
    client.close()
    client = game.client(game.actor)
    client.say(**command)
    wait_for(lambda: game.waiting() == 2)
    turn = game.state.turn
    game.work()
    assert client.expect("result", id=command["id"])["ok"] is True
    assert [bet for _, _, bet in game.chips()].count(300) == 1
    assert turn is not None and game.state.turn is not None
    assert game.state.turn.turn == turn.turn + 1
    assert client.heard[-1]["events"][-1]["type"] == "turn_began"


def test_a_command_repeated_after_a_reconnect_gets_an_equal_answer(game: Game) -> None:
    actor = game.actor
    client, command = game.client(actor), game.command("fold")
    client.say(**command)
    wait_for(game.waiting)
    client.cut()
    game.work()
    again = game.client(actor)
    again.say(**command)
    game.work()
    assert again.expect("result", id=command["id"])["ok"] is True


def test_too_many_commands_at_once_are_refused(game: Game) -> None:
    client = game.client(game.actor)
    most = limits.INBOX_COMMANDS_PER_SEAT_MAX
    for number in range(most + 2):
        client.say(**game.command("fold", id=f"n{number}"))
    codes = [client.expect("refused")["code"] for _ in range(2)]
    assert codes == ["too_many_commands"] * 2
    assert game.waiting() == most


def test_the_number_of_pending_answers_of_a_socket_is_limited(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "COMMANDS_PENDING_MAX", 2)
    client = game.client(game.actor)
    for number in range(3):
        client.say(**game.command("fold", id=f"n{number}"))
    assert client.expect("refused", id="n2")["code"] == "too_many_commands"
    assert game.waiting() == 2


def test_a_flood_of_commands_is_cut_off_and_delays_no_other(game: Game) -> None:
    before = game.chips()
    flooder, actor = game.client(game.others[0]), game.client(game.actor)
    with suppress(ConnectionClosed):
        for number in range(1_000):
            flooder.say(**game.command("fold", id=f"n{number}"))
    rest, code = flooder.cut_off()
    assert (rest[-1]["type"], code) == ("bye", 1008)
    assert 0 < game.waiting() <= limits.INBOX_COMMANDS_PER_SEAT_MAX
    assert game.chips() == before
    command = game.command("call", id="calm")
    actor.say(**command)
    actor.say(type="ping", sent_ms=1)
    actor.expect("pong")
    game.work()
    actor.expect("result", id="calm")


def test_a_table_that_does_not_answer_is_reported(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "COMMAND_ANSWER_MAX_MS", 300)
    client = game.client(game.actor)
    client.say(**game.command("fold"))
    assert client.expect("refused")["code"] == "no_answer"


def test_lost_hints_lose_no_answer_and_no_event(game: Game, room: Redis) -> None:
    client, command = game.client(game.actor), game.command("call")
    client.say(**command)
    wait_for(game.waiting)
    assert room.client_kill_filter(_type="pubsub") >= 1
    game.work()
    client.expect("result", id=command["id"])
    assert any(message["type"] == "events" for message in client.heard)


@pytest.mark.rule("X-01")
def test_sitting_out_and_coming_back(game: Game) -> None:
    client = game.client(game.others[0])
    for kind, told in (("sit_out", "sat_out"), ("come_back", "came_back")):
        client.say(type=kind, id=told.replace("_", "-"), table=game.row.pk)
        game.work()
        client.expect("result", id=told.replace("_", "-"))
        events = [event for message in client.heard for event in message.get("events", ())]
        assert told in [event["type"] for event in events]


@pytest.mark.rule("S-02")
def test_a_showdown_choice_is_acknowledged_and_sent_to_no_other(game: Game) -> None:
    clients = {seat: game.client(seat) for seat in (1, 2, 3)}
    clients[2].say(type="showdown", id="muck", table=game.row.pk, choice="muck")
    game.work()
    clients[2].expect("result", id="muck")
    chosen = {seat.seat: seat.showdown for seat in game.state.seats}
    assert chosen == {1: "auto", 2: "muck", 3: "auto"}
    for client in clients.values():
        client.say(type="ping", sent_ms=1)
        client.expect("pong")
        assert [message for message in client.heard if message["type"] == "events"] == []


def test_a_watcher_who_is_seated_gets_a_snapshot_with_cards(game: Game, room: Redis) -> None:
    (newcomer,) = users("newcomer")
    client = game.follow(game.site.client(newcomer))
    game.sit_down_next_hand(4, newcomer, 2_000)
    while game.state.hand is None or 4 not in [seat.seat for seat in game.state.hand.seats]:
        game.play_calmly(1)
    own = list(game.state.hand.seat(4).cards)
    snapshot = client.expect("snapshot")
    assert 4 in _cards(snapshot["state"])
    seen = [_cards(snapshot["state"])[4]]
    while own not in seen:
        events = client.expect("events")["events"]
        dealt = [event for event in events if event["type"] == "hole_cards_dealt"]
        seen += [event["cards"] for event in dealt if event["seat"] == 4]
        assert all("??" in event["cards"] for event in dealt if event["seat"] != 4)
    assert ["??", "??"] not in seen


def test_a_rebuilt_table_gives_snapshots_of_its_new_epoch(game: Game, room: Redis) -> None:
    client, watcher = game.client(1), game.watcher()
    recovery.rebuild(room, game.row.pk, seen_epoch=game.state.epoch)
    for seen in (client, watcher):
        snapshot = seen.expect("snapshot")
        assert snapshot["state"]["epoch"] == 2
        assert seen.heard == []
    game.state = playing.run(room, game.row.pk)
    assert _until(watcher, game.stream, f"2-{game.state.seq}")


def test_a_table_rebuilt_between_two_hands_gives_snapshots_without_an_event(
    site: Site, room: Redis
) -> None:
    table = playing.sit_down([500, 500])
    recovery.open_tables(room, [table.pk])
    player = site.client(Seat.objects.get(table=table, seat=1).user)
    for client in (player, site.client()):
        assert client.follow(keys.table(table.pk))["state"]["epoch"] == 1
    watcher = client
    recovery.rebuild(room, table.pk, seen_epoch=1)
    for client in (player, watcher):
        assert client.expect("snapshot")["state"]["epoch"] == 2
        assert client.heard == []


def test_a_table_plays_on_after_redis_is_killed_and_empty(
    game: Game, room: Redis, room_server: Running
) -> None:
    client = game.client(game.actor)
    room_server.kill()
    room_server.start()
    room.flushall()
    adopt_run(room)
    assert client.silent(1.5), "no event arrives before the table is rebuilt"
    recovery.rebuild(room, game.row.pk, seen_epoch=game.state.epoch)
    assert client.expect("snapshot")["state"]["epoch"] == 2
    game.state = playing.run(room, game.row.pk)
    actor = (
        game.client(game.actor) if game.user(game.actor).pk != client.welcome["user"] else client
    )
    actor.say(**game.command("fold"))
    game.work()
    actor.expect("result")


def test_no_frame_of_a_whole_game_holds_a_card_of_another_player(game: Game, room: Redis) -> None:
    watcher = game.watcher()
    hands: dict[int, set[str]] = {}
    for step in range(60):
        if game.state.phase == "closed":
            break
        assert game.state.hand is not None
        cards = {card for seat in game.state.hand.seats for card in seat.cards}
        hands[game.state.hand_number] = cards
        game.play(1, seed=step)
    assert hands
    events = _until(watcher, game.stream, f"{game.state.epoch}-{game.state.seq}")
    number = watcher.snapshot["state"]["hand"]
    shown = ("cards_shown", "hands_revealed", "street_dealt", "button_drawn")
    for event in events:
        number = event["hand"] if event["type"] == "hand_began" else number
        if event["type"] not in shown:
            text = json.dumps(event)
            assert not any(f'"{card}"' in text for card in hands.get(number, ())), event
    assert fenced.peek(room, game.row.pk) is not None
    assert advance.advance(room, game.row.pk) in (None, "play", "settle")
