"""Players of the client package: later protocols, choices out of range, pledges, refused tokens."""

from __future__ import annotations

import asyncio
from typing import Any, get_args

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from room_client.bot import Choice, Turn, choice_within, play
from room_client.cutter import Cutter
from room_client.messages.commands import ComeBack, CutDeck, Subscribe, Unsubscribe
from room_client.messages.options import Option
from room_client.messages.streams import TableEvent
from room_client.messages.tables import DeckCut
from room_client.player import Player
from room_client.pledges import pledge_of
from room_client.steps import AGAIN_S, FollowedTable, Steps
from room_client.view import seat_of
from tables.fairness import cutting
from tables.gateway.streams.known_kinds import all_kinds
from tables.wire.client_commands import ClientMessage
from tables.wire.client_events import TableSnapshot
from tests.tables import stages
from tests.tables.client_side import snapshot
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site

__all__ = ["site"]

STREAM = "table:7"
RAISES = Option(check=False, call=100, raise_min=200, raise_max=900)


def _player() -> Player[Steps, FollowedTable]:
    made: Player[Steps, FollowedTable] = Player(
        Steps, FollowedTable, ids="me", fresh=lambda: b"s" * 32
    )
    _tell(made, type="welcome", protocol=1, now_ms=stages.START_MS, user=201)
    made.follow(7)
    return made


def _tell(player: Player[Steps, FollowedTable], **message: Any) -> Steps:
    return player.received(msgspec.json.encode(message), 0.0)


def test_unknown_events_and_messages_of_a_later_release_are_passed_over() -> None:
    player, state = _player(), stages.empty(3)
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=snapshot(state, 201))
    before = player.tables[STREAM].seen
    told = [{"id": "1-5", "type": "sang", "song": "blues"}]
    assert _tell(player, type="events", stream=STREAM, events=told) == Steps()
    assert _tell(player, type="confetti", colour="red") == Steps()
    assert (player.tables[STREAM].seen, player.tables[STREAM].last) == (before, "1-5")
    resumed = _tell(player, type="welcome", protocol=1, now_ms=5, user=201)
    assert resumed.send[1].after == "1-5"  # type: ignore[union-attr]
    player.strict = True
    with pytest.raises(msgspec.ValidationError):
        _tell(player, type="confetti", colour="red")


def test_unknown_events_in_the_log_of_a_snapshot_are_passed_over() -> None:
    player = _player()
    state = msgspec.to_builtins(snapshot(stages.dealt(stages.roster(900, 900, 900)), 201))
    later = state | {"log": [*state["log"], {"type": "sang", "song": "blues"}]}
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=later)
    seen = player.tables[STREAM].seen
    assert seen is not None and msgspec.to_builtins(seen.log) == state["log"]
    player.strict = True
    with pytest.raises(msgspec.ValidationError):
        _tell(player, type="snapshot", stream=STREAM, id="1-5", state=later)


def _returns(steps: Steps) -> int:
    return sum(isinstance(message, ComeBack) for message in steps.send)


def test_an_absent_player_whose_return_was_lost_comes_back_again() -> None:
    player, state = _player(), stages.dealt(stages.roster(900, 900, 900))
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=snapshot(state, 201))
    sat_out = {"id": "1-5", "type": "sat_out", "seat": 1}
    assert _returns(_tell(player, type="events", stream=STREAM, events=[sat_out])) == 1
    assert _returns(_tell(player, type="events", stream=STREAM, events=[])) == 0
    # The connection was lost with the command: nothing is missed on the stream.
    _tell(player, type="welcome", protocol=1, now_ms=5, user=201)
    assert _returns(_tell(player, type="events", stream=STREAM, events=[])) == 1
    # The room had no answer: at once nothing, so that a Redis that is away is not asked in a loop.
    lost = _tell(player, type="refused", code="unavailable", message="", id="me-2")
    assert _returns(lost) == 0
    assert _returns(_tell(player, type="events", stream=STREAM, events=[])) == 1
    back = {"id": "1-6", "type": "came_back", "seat": 1}
    assert _returns(_tell(player, type="events", stream=STREAM, events=[back])) == 0
    again = [{**sat_out, "id": "1-7"}, {**back, "id": "1-8"}, {**sat_out, "id": "1-9"}]
    assert _returns(_tell(player, type="events", stream=STREAM, events=again)) == 1


def test_a_turn_whose_answer_was_not_taken_is_answered_again_after_a_pause() -> None:
    player, state = _player(), stages.dealt(stages.roster(900, 900, 900))
    assert state.turn is not None
    seen = snapshot(state, 200 + state.turn.seat)
    player.user = 200 + state.turn.seat
    [due] = _tell(player, type="snapshot", stream=STREAM, id="1-4", state=seen).turns
    assert due.after_s == 0
    [again] = _tell(player, type="refused", code="unavailable", message="", id="me-1").turns
    assert again.after_s == AGAIN_S and again.turn == due.turn


def test_a_turn_is_answered_again_once_whatever_number_of_messages_was_not_read() -> None:
    player, state = _player(), stages.dealt(stages.roster(900, 900, 900))
    assert state.turn is not None
    player.user = 200 + state.turn.seat
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=snapshot(state, player.user))
    unread = msgspec.json.encode({"type": "refused", "code": "slow_down", "message": ""})
    turns = [len(player.received(unread, now_s).turns) for now_s in (0.0, 0.1, 0.2, AGAIN_S)]
    assert turns == [1, 0, 0, 1]


def test_a_subscription_that_was_not_read_is_sent_again() -> None:
    player = _player()
    player.follow(8)
    notices = {"type": "snapshot", "stream": "user:201", "id": "0-3"}
    unread = {"type": "refused", "code": "slow_down", "message": ""}
    assert _streams(_tell(player, **unread)) == ["user:201", STREAM, "table:8"]
    _tell(player, **notices, state={"seats": [], "tournaments": {}})
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=snapshot(stages.empty(3), 201))
    assert _streams(_tell(player, **unread)) == ["table:8"]
    # The connection is new: nothing is heard on it yet.
    _tell(player, type="welcome", protocol=1, now_ms=5, user=201)
    _tell(player, type="events", stream="user:201", events=[])
    assert _streams(_tell(player, **unread)) == [STREAM, "table:8"]


def test_a_table_beyond_those_of_a_socket_is_followed_once_another_is_left() -> None:
    player = _player()
    player.follow(8)
    full = {"type": "refused", "code": "too_many_streams", "message": "", "stream": "table:8"}
    assert _tell(player, **full).send == []
    closed = {"id": "1-5", "type": "table_closed"}
    _tell(player, type="snapshot", stream=STREAM, id="1-4", state=snapshot(stages.empty(3), 201))
    left = _tell(player, type="events", stream=STREAM, events=[closed])
    assert left.send == [Unsubscribe(STREAM), Subscribe("table:8")]
    assert list(player.tables) == ["table:8"]


def _streams(steps: Steps) -> list[str]:
    return [message.stream for message in steps.send if isinstance(message, Subscribe)]


def test_client_structs_are_those_of_the_wire() -> None:
    names = {
        event.__name__ for kind in all_kinds() if kind.prefix == "table" for event in kind.events
    }
    assert {event.__name__ for event in get_args(TableEvent)} == names
    assert snapshot(stages.empty(2), None).__struct_fields__ == TableSnapshot.__struct_fields__
    sent = msgspec.json.encode(_tell(_player(), type="welcome", protocol=1, now_ms=1, user=9).send)
    decoded = msgspec.json.decode(sent, type=list[ClientMessage])
    assert [message.stream for message in decoded] == ["user:9", STREAM]  # type: ignore[union-attr]


def test_a_bot_pledges_again_when_its_seat_had_no_pledge() -> None:
    cutter, seen = (
        Cutter(lambda: bytes(32)),
        snapshot(stages.dealt(stages.roster(900, 900, 900)), 201),
    )
    cutter.enter("5a" * 16)
    own = seat_of(seen, 201)
    assert own is not None
    rows = ((own.seat, 0, ""), (own.seat % 3 + 1, 2, "ab"))
    [again] = cutter.heard(DeckCut(4, rows), seen, 201)
    assert isinstance(again, CutDeck) and again.pledge and not again.seed
    assert (again.table, again.epoch, again.hand) == (seen.table, seen.epoch, 4)
    assert not cutter.heard(DeckCut(4, ((own.seat, 2, "ab"),)), seen, 201)


def test_a_pledge_is_the_rooms_own() -> None:
    room, seed = bytes(range(16)), bytes(range(32))
    for entry in (1, 2**40):
        assert pledge_of(room, entry, seed) == cutting.pledge_of(room, entry, seed)


@pytest.mark.parametrize(
    ("choice", "option", "made"),
    [
        (
            ("raise", 5_000),
            RAISES,
            ("raise", 900),
        ),
        (
            ("raise", None),
            RAISES,
            ("raise", 200),
        ),
        (("raise", 0.75 * 550), RAISES, ("raise", 412)),
        (("raise", 500), Option(check=True, bet_min=100, bet_max=300), ("bet", 300)),
        (("bet", 500), Option(check=False, call=100), ("call", None)),
        (("call", None), Option(check=True), ("check", None)),
        (("fold", None), Option(check=True), ("check", None)),
        (("fold", None), Option(check=False, call=10), ("fold", None)),
        (("check", None), Option(check=False, call=10), ("fold", None)),
        (("fold", None), Option(check=False, call=10, fold=False), ("call", None)),
    ],
)
def test_a_choice_out_of_range_becomes_the_nearest_allowed(
    choice: Any, option: Option, made: Any
) -> None:
    assert choice_within(choice, option) == made


def _fold(turn: Turn) -> Choice:
    return ("fold", None)


def test_a_refused_token_ends_a_bot_with_the_rooms_status(site: Site) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(play(f"http://127.0.0.1:{site.port}", "room_invented", _fold))
    assert refused.value.response.status_code == 401
