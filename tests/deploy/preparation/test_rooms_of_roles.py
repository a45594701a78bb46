"""Whole tournament of a room each kind of whose processes logs in to PostgreSQL as its own role."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg
import pytest

from config.environment import HOME
from config.postgres.process_rights import EVERY, PREFIX
from deploy.embedded import postgres, servers
from deploy.embedded.postgres import KEEPER, Postgres
from tests import prepared
from tests.conftest import Running, free_ports
from tests.deploy.cluster.levels import quick_offer

WITHIN_S = 900.0
PASSWORD = "only in tests, guards nothing"  # nosec B105
STARTED = ("web", "play", "settle", "auditor")
"""Kinds of processes that a room without mail and cards-up streams has."""


@pytest.mark.cluster
def test_a_tournament_is_played_by_a_role_for_each_kind_of_process(place: Path) -> None:
    server = _server(place)
    running = Running(postgres.prepare(server))
    running.start()
    try:
        clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        addresses = {"DATABASE_URL": server.url, "DATABASE_OWNER_URL": server.owner_url}
        _make_roles(server, clean, place)
        own = {f"DATABASE_URL_{kind.upper()}": _url(server, kind) for kind in EVERY}
        _log_connections(server)
        report = _play(place, {**clean, **addresses, **own})
    finally:
        running.stop()
    assert report["finished"] and report["violations"] == []
    assert report["hands"] > 5
    logged_in = _LOGGED_IN.findall(server.log.read_text())
    seen = {(process.rstrip("0123456789"), role) for role, process in logged_in}
    of_processes = {(process, role) for process, role in seen if process in EVERY}
    assert of_processes == {(kind, f"{PREFIX}{kind}") for kind in STARTED}


def _server(place: Path) -> Postgres:
    home = place / "database"
    server = servers.lay_out(home, home, durable=True, port=free_ports()).postgres
    prepared.copy(server)
    return server


def _make_roles(server: Postgres, clean: dict[str, str], place: Path) -> None:
    keeper = f"{server.url_of(KEEPER, 'room')}"
    passwords = {f"DATABASE_PASSWORD_{kind.upper()}": PASSWORD for kind in EVERY}
    environment = {**clean, **passwords, "ROOM_LOCAL": str(place / "operator")}
    # The runtime role has no rights in a database that was copied before its first start.
    environment |= {"DATABASE_URL": keeper, "DATABASE_OWNER_URL": keeper}
    processes = [part for kind in EVERY for part in ("--processes", f"{kind}=2")]
    command = [sys.executable, str(HOME / "manage.py"), "database_roles", "--execute", *processes]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _url(server: Postgres, kind: str) -> str:
    parts = urlsplit(server.url)
    hosts = parts.netloc.rpartition("@")[2]
    return f"postgresql://{PREFIX}{kind}:{quote(PASSWORD)}@{hosts}{parts.path}"


def _log_connections(server: Postgres) -> None:
    """Let the server write down who logs in: a play worker does so for a moment only."""
    with psycopg.connect(server.url_of(KEEPER, "postgres"), autocommit=True) as keeper:
        keeper.execute("ALTER SYSTEM SET log_connections = on")
        keeper.execute("SELECT pg_reload_conf()")


def _play(place: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Play a headless tournament; return its report."""
    report = place / "report.json"
    options = ["--headless", "--think", "fast", "--players", "8", "--seats", "4"]
    options += ["--offer", json.dumps(quick_offer()), "--report", str(report)]
    command = [sys.executable, str(HOME / "manage.py"), "cluster", "--data", str(place / "room")]
    with (
        (place / "out").open("w") as out,
        subprocess.Popen([*command, *options], env=environment, stdout=out, stderr=out) as run,
    ):
        try:
            run.wait(WITHIN_S)
        finally:
            run.terminate()
    assert run.returncode == 0, (place / "out").read_text()
    found: dict[str, Any] = json.loads(report.read_text())
    return found


_LOGGED_IN = re.compile(r"connection authorized: user=(\S+) database=room application_name=(\w+)")
