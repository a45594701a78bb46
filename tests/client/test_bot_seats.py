"""Seats that a bot of one function plays at ring tables and in rapid pools."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve

from room_client.bot import Choice, Turn, play
from room_client.steps import AGAIN_S
from tests.tables import stages
from tests.tables.client_side import snapshot

USER, PATIENCE_S = 201, 10.0


class _Line:
    """The room's end of a bot's socket."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def tell(self, **message: Any) -> None:
        await self._socket.send(msgspec.json.encode(message).decode())

    async def happens(self, stream: str, at: str, **event: Any) -> None:
        await self.tell(type="events", stream=stream, events=[{"id": at, **event}])

    async def hear(self) -> tuple[str, Any]:
        """Return the kind of the next message with its stream or table; pledges are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while (heard := msgspec.json.decode(await self._socket.recv()))["type"] == "cut":
                pass
        return heard["type"], heard.get("stream") or heard["table"]


def _meet(room: Callable[[_Line], Awaitable[None]], **wish: Any) -> None:
    """Let a bot play until the room has said and heard everything."""

    async def meet() -> None:
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def answer(socket: ServerConnection) -> None:
            line = _Line(socket)
            try:
                await line.tell(type="welcome", protocol=1, now_ms=stages.START_MS, user=USER)
                await room(line)
            except BaseException as failure:
                ended.set_exception(failure)
            else:
                ended.set_result(None)

        async with serve(answer, "127.0.0.1", 0) as server:
            [listening] = server.sockets
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            bot = asyncio.create_task(play(url, "room_token", _fold, **wish))
            await ended
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)

    asyncio.run(meet())


def _fold(turn: Turn) -> Choice:
    return "fold", None


async def _deals_in(line: _Line, at: str, table: int) -> None:
    facts = {"type": "rapid_dealt_in", "game": 4, "name": "Pool", "number": 1, "seat": 2}
    await line.happens(f"user:{USER}", at, **facts, table=table)


def test_a_seat_that_was_bought_at_a_ring_table_is_played() -> None:
    async def room(line: _Line) -> None:
        assert await line.hear() == ("subscribe", f"user:{USER}")
        assert await line.hear() == ("subscribe", "table:7")
        state = stages.dealt(stages.roster(900, 900))
        actor = next(seat.user for seat in state.seats if seat.seat == state.turn.seat)  # type: ignore[union-attr]
        seen = msgspec.to_builtins(snapshot(state, actor))
        for seat in seen["seats"]:
            seat["user"] += USER - actor
        await line.tell(type="snapshot", stream="table:7", id="1-1", state=seen)
        assert await line.hear() == ("act", 7)

    _meet(room, tables=[7])


def test_a_bot_answers_its_turn_again_until_the_room_takes_the_answer() -> None:
    async def room(line: _Line) -> None:
        assert await line.hear() == ("subscribe", f"user:{USER}")
        assert await line.hear() == ("subscribe", "table:7")
        state = stages.dealt(stages.roster(900, 900))
        assert state.turn is not None
        seen = msgspec.to_builtins(snapshot(state, 200 + state.turn.seat))
        for seat in seen["seats"]:
            seat["user"] += USER - 200 - state.turn.seat
        await line.tell(type="snapshot", stream="table:7", id="1-1", state=seen)
        for _ in range(2):
            assert await line.hear() == ("act", 7)
            await line.tell(type="refused", code="unavailable", message="", id="x")
        assert await line.hear() == ("act", 7)

    began_s = time.monotonic()
    _meet(room, tables=[7])
    assert time.monotonic() - began_s >= 2 * AGAIN_S


def test_a_bot_goes_along_from_hand_to_hand_of_a_rapid_pool() -> None:
    async def room(line: _Line) -> None:
        assert await line.hear() == ("subscribe", f"user:{USER}")
        await _deals_in(line, "0-1", table=7)
        assert await line.hear() == ("subscribe", "table:7")
        state = stages.dealt(stages.roster(900, 900, 900))
        seen = msgspec.to_builtins(snapshot(state, USER))
        await line.tell(type="snapshot", stream="table:7", id="1-1", state=seen)
        own = next(seat["seat"] for seat in seen["seats"] if seat["user"] == USER)
        await _deals_in(line, "0-2", table=7)
        left = {"type": "seat_left", "seat": own, "entry": 1, "reason": "left"}
        await line.happens("table:7", "1-2", **left)
        await _deals_in(line, "0-3", table=8)
        told = [await line.hear() for _ in range(3)]
        assert [one for one in told if one[0] != "act"][-2:] == [
            ("unsubscribe", "table:7"),
            ("subscribe", "table:8"),
        ]

    _meet(room)


def _seen(*users: int) -> dict[str, Any]:
    """Return the table 7 of tournament 3 as the bot sees it, with the seats of some users."""
    state = stages.dealt(stages.roster(900, 900, 900))
    seen: dict[str, Any] = msgspec.to_builtins(snapshot(state, None))
    seen["seats"] = [seat for seat in seen["seats"] if seat["user"] in users]
    return seen | {"turn": None}


async def _ends(*rooms: Callable[[_Line], Awaitable[None]], ring: tuple[int, ...] = ()) -> None:
    """Play tournament 3 to its end at a room that cuts the socket after each of `rooms`."""
    to_come = list(rooms)

    async def answer(socket: ServerConnection) -> None:
        line = _Line(socket)
        await line.tell(type="welcome", protocol=1, now_ms=stages.START_MS, user=USER)
        await to_come.pop(0)(line)
        if not to_come:
            await socket.wait_closed()

    async with serve(answer, "127.0.0.1", 0) as server, asyncio.timeout(PATIENCE_S):
        [listening] = server.sockets
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        await play(url, "room_token", _fold, until=3, tables=ring)


async def _sits(line: _Line) -> None:
    assert await line.hear() == ("subscribe", f"user:{USER}")
    state = {"seats": [{"table": 7}], "tournaments": {"3": "seated"}, "offers": [], "starts": []}
    await line.tell(type="snapshot", stream=f"user:{USER}", id="0-1", state=state)
    assert await line.hear() == ("subscribe", "table:7")
    await line.tell(type="snapshot", stream="table:7", id="1-1", state=_seen(USER, 202))


async def _returns(line: _Line) -> None:
    assert await line.hear() == ("subscribe", f"user:{USER}")
    assert await line.hear() == ("subscribe", "table:7")
    out = {"type": "knocked_out", "tournament": 3, "name": "SNG", "place": 3, "prize": 0}
    await line.happens(f"user:{USER}", "0-2", **out)


def test_a_bot_taken_out_by_the_organiser_has_played_its_tournament() -> None:
    async def room(line: _Line) -> None:
        assert await line.hear() == ("subscribe", f"user:{USER}")
        out = {"type": "unregistered", "tournament": 3, "name": "SNG", "refund": 500}
        await line.happens(f"user:{USER}", "0-1", **out, left=0, reason="late")

    asyncio.run(_ends(room))


def test_a_bot_knocked_out_while_its_connection_was_lost_has_played_its_tournament() -> None:
    async def lost_seat(line: _Line) -> None:
        await _returns(line)
        await line.tell(type="snapshot", stream="table:7", id="1-9", state=_seen(202, 203))
        assert await line.hear() == ("unsubscribe", "table:7")

    asyncio.run(_ends(_sits, lost_seat))


def test_a_bot_whose_table_is_gone_when_it_returns_has_played_its_tournament() -> None:
    async def gone(line: _Line) -> None:
        await _returns(line)
        await line.tell(type="refused", code="no_such_stream", message="", stream="table:7")

    asyncio.run(_ends(_sits, gone))


def test_a_bot_that_entered_again_plays_on_until_it_is_out_again() -> None:
    played: list[str] = []
    facts = {"tournament": 3, "name": "SNG"}
    out = {"type": "knocked_out", "place": None, "prize": 0, **facts}

    async def room(line: _Line) -> None:
        await _sits(line)
        await line.happens(f"user:{USER}", "0-2", **out)
        again = {"type": "registered", "paid": 500, "starts_at_ms": None, **facts}
        await line.happens(f"user:{USER}", "0-3", **again)
        left = {"type": "seat_left", "seat": 1, "entry": 101, "reason": "moved"}
        await line.happens("table:7", "1-2", **left)
        assert await line.hear() == ("unsubscribe", "table:7")
        seat = {"type": "seated", "table": 8, "number": 2, "seat": 4, **facts}
        await line.happens(f"user:{USER}", "0-4", **seat)
        assert await line.hear() == ("subscribe", "table:8")
        played.append("a second table")
        await line.happens(f"user:{USER}", "0-5", **out)
        await line.tell(type="refused", code="no_such_stream", message="", stream="table:8")

    asyncio.run(_ends(room))
    assert played


def test_a_bot_at_a_ring_game_of_the_same_number_has_played_its_tournament() -> None:
    """Ring games and tournaments are counted apart: game 3 is another one than tournament 3."""

    async def room(line: _Line) -> None:
        assert await line.hear() == ("subscribe", f"user:{USER}")
        assert await line.hear() == ("subscribe", "table:5")
        ring = _seen(USER, 202) | {"table": 5}
        assert ring["game"] == 3
        await line.tell(type="snapshot", stream="table:5", id="1-1", state=ring)
        out = {"type": "knocked_out", "tournament": 3, "name": "SNG", "place": 3, "prize": 0}
        await line.happens(f"user:{USER}", "0-1", **out)

    asyncio.run(_ends(room, ring=(5,)))
