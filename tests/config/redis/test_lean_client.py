"""Client of one server: replies reach their callers, whatever happens to its connections."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from redis import Redis
from redis.exceptions import ConnectionError, ResponseError, TimeoutError

from config.redis import addresses, clients
from config.redis.lean import LeanClient
from config.redis.scripts import ScriptCall, run
from tests.conftest import Running

ECHO = "return ARGV[1]"


@pytest.fixture
def lean(room: Redis) -> Iterator[Redis]:
    """A client that retries, as workers have it."""
    yield from _closed(clients.client_at(addresses.parse(settings.ROOM_REDIS_URL)))


@pytest.fixture
def hasty(room: Redis) -> Iterator[Redis]:
    """A client that waits two seconds for an answer and never retries."""
    yield from _closed(clients.hasty_client_at(addresses.parse(settings.ROOM_REDIS_URL), 2.0))


def _closed(client: Redis) -> Iterator[Redis]:
    assert isinstance(client, LeanClient)
    with client:
        yield client


def _in_use(client: Redis) -> int:
    pool: Any = client.connection_pool
    return len(pool._in_use_connections)


def test_a_connection_that_the_server_closed_costs_no_retry(hasty: Redis, room: Redis) -> None:
    first = hasty.client_id()
    room.client_kill_filter(_id=str(first))
    assert hasty.client_id() > first


def test_a_reply_that_nobody_read_is_never_that_of_another_command(hasty: Redis) -> None:
    pool: Any = hasty.connection_pool
    hasty.set("of", "the first")
    interrupted = pool.get_connection()
    interrupted.send_command("GET", "of")
    assert interrupted.can_read(timeout=60)
    pool.release(interrupted)
    assert [hasty.echo("own"), hasty.get("of")] == [b"own", b"the first"]


def test_a_reply_that_came_too_late_is_never_that_of_another_command(hasty: Redis) -> None:
    before = hasty.client_id()
    with pytest.raises(TimeoutError):
        hasty.execute_command("BLPOP", "nothing", 60)  # type: ignore[no-untyped-call]
    assert hasty.echo("own") == b"own"
    assert hasty.client_id() > before
    assert _in_use(hasty) == 0


def test_a_refused_command_keeps_its_connection(lean: Redis) -> None:
    connection = lean.client_id()
    with pytest.raises(ResponseError, match="unknown command"):
        lean.execute_command("NO", "SUCH")  # type: ignore[no-untyped-call]
    assert lean.client_id() == connection
    assert _in_use(lean) == 0


def test_a_restarted_server_is_asked_again(lean: Redis, room_server: Running) -> None:
    assert lean.ping()
    room_server.kill()
    room_server.start()
    assert lean.ping()


def test_a_lost_server_fails_with_a_redis_error(lean: Redis, room_server: Running) -> None:
    assert lean.ping()
    room_server.kill()
    with pytest.raises(ConnectionError):
        lean.ping()
    assert _in_use(lean) == 0
    room_server.start()
    assert lean.ping()


def test_a_script_gives_its_reply_before_and_after_the_server_knows_it(hasty: Redis) -> None:
    hasty.script_flush()
    words = [f"{number}".encode() * number * 5_000 for number in range(1, 9)]
    assert [run(hasty, ScriptCall(ECHO, (), (word,))) for word in words] == words
    assert _in_use(hasty) == 0


def test_a_script_that_fails_keeps_its_connection(lean: Redis) -> None:
    connection = lean.client_id()
    for _ in range(2):
        with pytest.raises(ResponseError, match="no such field"):
            run(lean, ScriptCall("return redis.error_reply('no such field')", (), ()))
    assert lean.client_id() == connection
    assert _in_use(lean) == 0


def test_a_script_whose_reply_came_too_late_answers_nobody_else(hasty: Redis) -> None:
    run(hasty, ScriptCall(ECHO, (), ("known",)))
    before = hasty.client_id()
    asked: Any = hasty.connection_pool.get_connection()
    with pytest.raises(TimeoutError):
        asked.ask(("BLPOP", "nothing", 60))
    hasty.connection_pool.release(asked)
    assert run(hasty, ScriptCall(ECHO, (), ("own",))) == b"own"
    assert hasty.client_id() > before


def test_a_script_goes_on_at_a_restarted_server(lean: Redis, room_server: Running) -> None:
    assert run(lean, ScriptCall(ECHO, (), ("first",))) == b"first"
    room_server.kill()
    with pytest.raises(ConnectionError):
        run(lean, ScriptCall(ECHO, (), ("lost",)))
    assert _in_use(lean) == 0
    room_server.start()
    assert run(lean, ScriptCall(ECHO, (), ("second",))) == b"second"


def test_threads_get_their_own_replies(lean: Redis) -> None:
    def own(number: int) -> bool:
        asked = [f"{number} {turn}".encode() for turn in range(200)]
        return [lean.echo(word.decode()) for word in asked] == asked

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(own, range(8)))
    assert _in_use(lean) == 0


def test_a_forked_process_makes_its_own_connections(lean: Redis) -> None:
    mine = lean.client_id()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, b"%d" % lean.client_id())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert int(os.read(reader, 20)) > mine
    assert lean.client_id() == mine
    for end in (reader, writer):
        os.close(end)
