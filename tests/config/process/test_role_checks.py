"""Start of a process whose database role is too little: a clear line, and no start."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg import sql
from redis import Redis
from structlog.testing import capture_logs

from config.postgres.engine import base
from config.postgres.process_rights import EVERY
from config.process import server_checks
from config.process.server_checks import WrongServer
from tests.deploy.preparation import tried_roles
from tournaments.events import bells


@pytest.fixture
def addresses(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Addresses of the database by kind; Django's connection is itself again afterwards."""
    monkeypatch.setattr(base, "_said_s", -base.SAID_EVERY_S)
    before = dict(connection.settings_dict)
    with tried_roles.made(monkeypatch, "--processes", "play=1") as found:
        yield found
        connection.close()
        connection.settings_dict.update(before)


def log_in(url: str) -> str:
    """Connect Django's connection with a role; return its name."""
    parts = urlsplit(url)
    connection.close()
    connection.settings_dict.update(
        USER=unquote(parts.username or ""), PASSWORD=unquote(parts.password or "")
    )
    return str(connection.settings_dict["USER"])


def as_keeper(statement: str, role: str) -> None:
    with psycopg.connect(tried_roles.keeper_url(), autocommit=True) as keeper:
        keeper.execute(sql.SQL(statement).format(sql.Identifier(role)))


def test_every_kind_starts_with_its_own_role_and_not_with_that_of_a_play_worker(
    addresses: dict[str, str],
) -> None:
    for kind, url in addresses.items():
        log_in(url)
        server_checks.verify_role(kind)
    log_in(addresses["play"])
    for kind in set(EVERY) - {"play"}:
        with pytest.raises(WrongServer, match=f"of this {kind} process lacks .* and [0-9]+ more"):
            server_checks.verify_role(kind)


def test_the_role_of_a_play_worker_may_read_all_that_one_reads_when_it_starts(
    addresses: dict[str, str], room: Redis
) -> None:
    log_in(addresses["play"])
    bells.ensure_all()
    assert bells.due(bells.SCHEDULE) is not None


def test_one_missing_grant_or_too_low_a_limit_is_named(
    addresses: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    role = log_in(addresses["settle"])
    as_keeper("REVOKE INSERT ON tables_hand FROM {}", role)
    with pytest.raises(SystemExit, match=r"Error: .* the role .* lacks INSERT on tables_hand"):
        server_checks.verify_role_or_exit("settle")
    as_keeper("GRANT INSERT ON tables_hand TO {}", role)
    server_checks.verify_role("settle")
    as_keeper("ALTER ROLE {} CONNECTION LIMIT 2", role)
    with pytest.raises(WrongServer, match="may hold 2 connections, one settle process needs up"):
        server_checks.verify_role("settle")
    role = log_in(addresses["play"])
    as_keeper("REVOKE SELECT (id, state) ON tournaments_tournament FROM {}", role)
    with pytest.raises(WrongServer, match=r"lacks SELECT on tournaments_tournament: run"):
        server_checks.verify_role("play")


def test_a_process_waits_for_a_connection_and_tells_the_operator(
    addresses: dict[str, str],
) -> None:
    role = log_in(addresses["play"])
    held = [psycopg.connect(addresses["play"]) for _ in range(2 * EVERY["play"].connections)]
    free = threading.Timer(1.0, held[0].close)
    began_s = time.monotonic()
    free.start()
    with capture_logs() as told:
        server_checks.verify_role("play")
    free.join()
    assert time.monotonic() - began_s > 0.9
    (line,) = [one for one in told if "no database connection left" in one["event"]]
    assert line["role"] == role
    assert "too many connections for role" in line["server"]
    for one in held[1:]:
        one.close()


def test_a_wait_for_a_connection_ends(
    addresses: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "WAITS_S", 0.3)
    log_in(addresses["play"])
    held = [psycopg.connect(addresses["play"]) for _ in range(2 * EVERY["play"].connections)]
    with pytest.raises(OperationalError, match="too many connections for role"):
        connection.ensure_connection()
    for one in held:
        one.close()
