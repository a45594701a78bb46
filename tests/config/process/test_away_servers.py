"""Operators' commands say in one line which server cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from redis import Redis
from redis.exceptions import ConnectionError

from config.environment import HOME
from config.process import away_servers
from deploy.embedded import ports
from tests.conftest import Running


def _run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    port = ports.free()
    ports.let_go(port)
    away = {"DATABASE_URL": f"postgresql://room:secret@127.0.0.1:{port}/room"}
    return subprocess.run(
        [sys.executable, str(HOME / "manage.py"), *words],
        env={**os.environ, **away, "ROOM_LOCAL": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("command", ["prepare --database", "ledger", "audit"])
def test_a_command_names_the_server_that_cannot_be_used(tmp_path: Path, command: str) -> None:
    done = _run(*command.split(), folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: PostgreSQL cannot be used: "), done.stderr
    assert "Traceback" not in done.stderr and "secret" not in done.stderr


def test_a_traceback_is_shown_where_it_is_asked_for(tmp_path: Path) -> None:
    done = _run("ledger", "--traceback", folder=tmp_path)
    assert done.returncode == 1 and "Traceback" in done.stderr


def test_a_redis_that_is_away_is_named(room: Redis, room_server: Running) -> None:
    room_server.kill()
    with pytest.raises(ConnectionError) as failed:
        room.ping()
    assert away_servers.sentence_of(failed.value).startswith("A Redis cannot be used: ")


@pytest.mark.django_db
def test_an_error_of_the_server_itself_keeps_its_trace() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 1")
        with pytest.raises(OperationalError) as refused:
            cursor.execute("SELECT pg_sleep(1)")
    assert isinstance(refused.value.__cause__, psycopg.errors.QueryCanceled)
    assert away_servers.sentence_of(refused.value) == ""
    assert away_servers.sentence_of(ValueError("a fault of the code")) == ""
