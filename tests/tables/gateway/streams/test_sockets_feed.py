"""The shared tail of a stream and the queue of a socket, in every possible order of events."""

from __future__ import annotations

import asyncio
import json

import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from redis import Redis
from uvicorn.server import ServerState

from config import limits
from config.process.ping_jitter import Keepalive
from tables.gateway.hub import Gateway
from tables.gateway.sockets import Bucket
from tables.gateway.streams.reader import PART_STREAMS_MIN, PARTS, Rounds
from tables.gateway.streams.recent import Batch, Position, Recent, name, position
from tables.gateway.streams.send_queue import SendQueue
from tables.wire.client_events import Pong

STREAM = "table:1"


def _event(at: Position, who: str = "all") -> bytes:
    return json.dumps({"id": name(at), "for": who}).encode()


def _seen(batch: Batch | None) -> list[tuple[Position, str]]:
    if batch is None:
        return []
    message = json.loads(batch.frame)
    assert (message["type"], message["stream"]) == ("events", STREAM)
    return [(position(event["id"]), event["for"]) for event in message["events"]]


@st.composite
def histories(draw: st.DrawFn) -> list[Position]:
    """Event ids in reading order: mostly the next number, now and then a gap or a new epoch."""
    at, found = (draw(st.integers(0, 3)), draw(st.integers(0, 5))), []
    for step in draw(st.lists(st.sampled_from(["next"] * 12 + ["gap", "epoch"]), max_size=40)):
        at = {"next": (at[0], at[1] + 1), "gap": (at[0], at[1] + 3), "epoch": (at[0] + 1, 1)}[step]
        found.append(at)
    return found


@st.composite
def chunks(draw: st.DrawFn, ids: list[Position]) -> list[list[Position]]:
    """The ids in reading order, cut into parts of any size."""
    found = []
    while ids:
        size = draw(st.integers(1, len(ids)))
        found.append(ids[:size])
        ids = ids[size:]
    return found


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_events_after_a_position_are_complete_or_refused(data: st.DataObject) -> None:
    ids = data.draw(histories())
    keep = data.draw(st.integers(1, 10))
    private = {at for at in ids if data.draw(st.booleans())}
    start = (ids[0][0], ids[0][1] - 1) if ids else (0, 0)
    recent = Recent(STREAM, start, keep=keep)
    read_for_7: set[Position] = set()
    for chunk in data.draw(chunks(ids)):
        seven = data.draw(st.booleans())
        if seven:
            read_for_7 |= set(chunk)
        own = {7: [(at, _event(at, "seven")) for at in chunk if at in private]} if seven else {}
        recent.extend([(at, _event(at)) for at in chunk], own)
        told = ids[: ids.index(chunk[-1]) + 1]
        for at in {start, *told}:
            for entry in (None, 7):
                if not recent.reaches(at, entry):
                    continue
                seen = _seen(recent.after(at, entry))
                missed = [one for one in told if one > at]
                assert [one for one, _ in seen] == missed
                assert all(
                    b == (a[0], a[1] + 1) for a, b in zip([at, *missed], missed, strict=False)
                )
                if entry == 7:
                    assert set(missed) <= read_for_7
                    assert [who for _, who in seen] == [
                        "seven" if one in private else "all" for one in missed
                    ]
                else:
                    assert {who for _, who in seen} <= {"all"}
        assert recent.reaches(told[-1], 7)


def test_reading_the_same_events_again_changes_nothing() -> None:
    recent = Recent(STREAM, (1, 0), keep=10)
    events = [((1, n), _event((1, n))) for n in range(1, 6)]
    assert recent.extend(events, {})
    assert not recent.extend(events, {})
    assert not recent.extend(events[2:], {})
    assert len(_seen(recent.after((1, 0), None))) == 5


def test_clients_at_one_position_share_one_frame() -> None:
    recent = Recent(STREAM, (1, 0), keep=10)
    recent.extend([((1, 1), _event((1, 1)))], {7: [], 8: [((1, 1), _event((1, 1), "eight"))]})
    assert recent.after((1, 0), 7) is recent.after((1, 0), None)
    assert recent.after((1, 0), 8) is not recent.after((1, 0), None)


async def _all(outbox: SendQueue) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    while True:
        try:
            frame = await asyncio.wait_for(outbox.next(), 0.01)
        except TimeoutError:
            return found
        if frame is None:
            return found
        found.append(json.loads(frame))


def _batch(first: int, last: int, stream: str = STREAM) -> Batch:
    return Batch(stream, (1, last), [_event((1, n)) for n in range(first, last + 1)])


async def test_consecutive_events_are_joined_and_answers_keep_their_order() -> None:
    outbox = SendQueue(most=100, drained=lambda _: None)
    outbox.events(_batch(1, 2))
    outbox.events(_batch(3, 3))
    outbox.answer(Pong(1, 2))
    outbox.events(_batch(4, 4))
    found = await _all(outbox)
    assert [message["type"] for message in found] == ["events", "pong", "events"]
    assert len(found[0]["events"]) == 3  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=4))
async def test_joined_batches_are_one_valid_message_with_empty_ones_anywhere(
    sizes: list[int],
) -> None:
    outbox = SendQueue(most=100, drained=lambda _: None)
    for number, size in enumerate(sizes):
        outbox.events(Batch(STREAM, (1, number), [b'{"seq":%d}' % number] * size))
    message = json.loads(await outbox.next() or "")
    expected = [{"seq": number} for number, size in enumerate(sizes) for _ in range(size)]
    assert (message["type"], message["events"]) == ("events", expected)


async def test_a_snapshot_replaces_only_waiting_events_of_its_stream() -> None:
    outbox = SendQueue(most=100, drained=lambda _: None)
    outbox.events(_batch(1, 5))
    outbox.events(_batch(1, 1, "table:2"))
    outbox.snapshot(STREAM, '{"type":"snapshot"}')
    assert [message["type"] for message in await _all(outbox)] == ["events", "snapshot"]


async def test_a_full_queue_drops_streams_keeps_answers_and_requests_snapshots_once() -> None:
    lost: list[set[str]] = []
    outbox = SendQueue(most=10, drained=lost.append)
    outbox.answer(Pong(1, 2))
    outbox.events(_batch(1, 8))
    outbox.events(_batch(1, 8, "table:2"))
    outbox.events(_batch(9, 12))
    assert lost == [], "no snapshot is requested before the client has read"
    assert [message["type"] for message in await _all(outbox)] == ["pong"]
    assert lost == [{STREAM, "table:2"}]
    outbox.events(_batch(13, 13))
    assert len(await _all(outbox)) == 1


async def test_a_client_that_reads_no_answers_is_closed() -> None:
    outbox = SendQueue(most=10, drained=lambda _: None)
    for number in range(20):
        outbox.answer(Pong(number, 0))
    assert outbox.closing == 1013
    assert await outbox.next() is None


async def test_closing_sends_the_answers_and_no_more_events() -> None:
    outbox = SendQueue(most=10, drained=lambda _: None)
    outbox.events(_batch(1, 3))
    outbox.answer(Pong(1, 2))
    outbox.close(1008)
    outbox.events(_batch(4, 4))
    outbox.answer(Pong(3, 4))
    assert [message["type"] for message in await _all(outbox)] == ["pong"]
    assert await outbox.next() is None


@pytest.mark.parametrize(("gap_ms", "refilled"), [(0, 0), (100, 1), (450, 4), (60_000, 5)])
def test_a_rate_limit_allows_its_burst_and_then_its_rate(gap_ms: int, refilled: int) -> None:
    bucket = Bucket(per_s=10, burst=5, now_ms=0)
    assert sum(bucket.take(0) for _ in range(100)) == 5
    assert sum(bucket.take(gap_ms) for _ in range(100)) == refilled


@given(st.integers(0, 5_000))
def test_a_round_checks_every_stream_once_over_its_slices(count: int) -> None:
    rounds, streams = Rounds(), [f"table:{number}" for number in range(count)]
    rounds.begin(streams)
    parts = [rounds.part() for _ in range(PARTS)]
    assert rounds.over
    assert rounds.part() == []
    assert [stream for part in parts for stream in part] == streams
    assert max(map(len, parts)) <= max(PART_STREAMS_MIN, count / PARTS + 1)


def test_streams_missed_by_a_round_come_first_in_the_next() -> None:
    rounds, streams = Rounds(), [f"table:{number}" for number in range(300)]
    rounds.begin(streams)
    done = rounds.part()
    rounds.begin([*streams[1:], "table:new"])
    again = [stream for _ in range(PARTS) for stream in rounds.part()]
    assert again == [*streams[len(done) :], *streams[1 : len(done)], "table:new"]


async def test_pings_due_together_spread_over_time() -> None:
    how = uvicorn.Config("config.asgi:application", ws_ping_interval=20.0, log_level="warning")
    sockets = [Keepalive(how, ServerState(), {}) for _ in range(200)]
    now_s = asyncio.get_running_loop().time
    began_s = now_s()
    for socket in sockets:
        socket.start_keepalive()
    ended_s = now_s()
    pings_s = sorted(socket.ping_timer.when() for socket in sockets if socket.ping_timer)
    assert len(pings_s) == len(sockets)
    assert pings_s[0] > began_s + 9
    assert pings_s[-1] < ended_s + 31, "a vanished peer is still noticed"
    crowd = max(sum(at <= other < at + 1 for other in pings_s) for at in pings_s)
    assert crowd < len(pings_s) / 4, "no second has a quarter of the pings"
    for socket in sockets:
        socket.stop_keepalive()


class _Distracted(Gateway):
    """Gateway with a sweep whose awaited result arrives at the moment of its cancellation."""

    def __init__(self) -> None:
        super().__init__()
        self.beat = asyncio.get_running_loop().create_future()

    async def _sweep(self) -> None:
        await asyncio.wait_for(self.beat, limits.REDIS_TIMEOUT_S)


async def test_a_gateway_ends_although_its_cancellation_is_lost_in_a_wait(room: Redis) -> None:
    gateway = _Distracted()
    gateway.start()
    await asyncio.sleep(0.1)
    gateway.beat.set_result(None)
    await asyncio.wait_for(gateway.stop(), 60)
