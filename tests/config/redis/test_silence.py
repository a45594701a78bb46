"""Silence of nodes: who may ask one that did not answer, and which failures count as silence."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from redis import Redis
from redis.connection import parse_url
from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    ConnectionError,
    ResponseError,
    TimeoutError,
)

from config import clock, limits
from config.redis import silence
from config.redis.nodes import NodeConnection
from config.redis.silence import NodeSilentError, Silence, staying_away

LATE = TimeoutError("late")


class Watch:
    """Clock of a test."""

    now_ms = 1_000_000


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Clock that stands still until the test moves it."""
    made = Watch()
    monkeypatch.setattr(clock, "monotonic_ms", lambda: made.now_ms)
    return made


def _refused(node: Silence) -> bool:
    try:
        node.check()
    except NodeSilentError:
        return True
    return False


def test_a_silent_node_is_asked_by_one_command_after_each_pause(watch: Watch) -> None:
    node = Silence("node")
    assert [_refused(node), _refused(node), bool(node)] == [False, False, False]
    node.begin(LATE)
    assert [_refused(node), bool(node)] == [True, True]
    watch.now_ms += limits.NODE_SILENT_MS - 1
    assert _refused(node)
    watch.now_ms += 1
    assert [_refused(node), _refused(node)] == [False, True]
    node.begin(LATE)
    watch.now_ms += limits.NODE_SILENT_MS
    assert [_refused(node), _refused(node)] == [False, True]
    node.end()
    assert [_refused(node), _refused(node), bool(node)] == [False, False, False]


def test_a_command_that_was_given_up_keeps_others_away_for_a_while_only(watch: Watch) -> None:
    node = Silence("node")
    node.begin(LATE)
    watch.now_ms += limits.NODE_SILENT_MS
    assert not _refused(node)
    watch.now_ms += limits.NODE_ASKED_MS - 1
    assert _refused(node)
    watch.now_ms += 1
    assert [_refused(node), _refused(node)] == [False, True]


def test_questions_that_all_wait_for_do_not_try_a_silent_node(watch: Watch) -> None:
    silent, other = Silence("silent"), Silence("other")
    silent.begin(LATE)
    watch.now_ms += limits.NODE_SILENT_MS
    with staying_away():
        assert [_refused(silent), _refused(other)] == [True, False]
    assert not _refused(silent)


def _connection(**options: Any) -> Any:
    """Connection to the server of the tests, whose silence nobody else shares."""
    kind: Any = NodeConnection  # neither has types
    parts: Any = parse_url
    made = kind(**{**parts(settings.ROOM_REDIS_URL), "protocol": 3, **options})
    made.silence = Silence("node")
    return made


@pytest.fixture
def node(room: Redis) -> Iterator[Any]:
    """Connection that waits 0.2 s for an answer."""
    made = _connection(socket_timeout=0.2)
    yield made
    made.disconnect()


def _ask(node: Any, *words: str) -> object:
    node.send_command(*words)
    return node.read_response()


def test_an_answer_that_does_not_come_in_time_begins_a_silence(node: Any) -> None:
    assert _ask(node, "PING") == b"PONG"
    with pytest.raises(NodeSilentError, match="Timeout reading"):
        _ask(node, "BLPOP", "nothing", "1")
    assert node.silence
    with pytest.raises(NodeSilentError, match="a moment ago"):
        _ask(node, "PING")


def test_errors_that_a_node_answers_are_answers(node: Any, watch: Watch) -> None:
    for words, kind in (
        (("NO", "SUCH"), ResponseError),
        (
            ("EVAL", "return redis.error_reply('CLUSTERDOWN Hash slot not served')", "0"),
            ClusterDownError,
        ),
    ):
        node.silence.begin(LATE)
        watch.now_ms += limits.NODE_SILENT_MS
        with pytest.raises(kind):
            _ask(node, *words)
        assert not node.silence


def test_a_node_without_its_cluster_counts_as_silent(node: Any) -> None:
    with pytest.raises(NodeSilentError, match="cluster is down"):
        _ask(node, "EVAL", "return redis.error_reply('CLUSTERDOWN The cluster is down')", "0")
    assert node.silence


def test_a_closed_connection_is_no_silence_unless_the_node_was_silent(
    node: Any, room: Redis, watch: Watch
) -> None:
    number = _ask(node, "CLIENT", "ID")
    room.client_kill_filter(_id=str(number))
    with pytest.raises(ConnectionError):
        _ask(node, "PING")
    assert not node.silence
    number = _ask(node, "CLIENT", "ID")
    node.silence.begin(LATE)
    watch.now_ms += limits.NODE_SILENT_MS
    room.client_kill_filter(_id=str(number))
    with pytest.raises(NodeSilentError):
        _ask(node, "PING")
    assert node.silence
    watch.now_ms += limits.NODE_SILENT_MS
    assert _ask(node, "PING") == b"PONG"
    assert not node.silence


def test_an_address_where_nobody_listens_is_silent() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        host, port = bound.getsockname()
        kind: Any = NodeConnection
        first, second = (kind(host=host, port=port) for _ in range(2))
        with pytest.raises(NodeSilentError, match="refused"):
            first.connect()
        with pytest.raises(NodeSilentError, match="a moment ago"):
            second.connect()
    silence.of_node(host, port).end()


def test_a_refused_log_in_is_an_answer(room: Redis) -> None:
    wrong = _connection(username="nobody", password="wrong")
    with pytest.raises(AuthenticationError):
        wrong.connect()
    assert not wrong.silence
