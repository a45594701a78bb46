"""URLs of PostgreSQL: one host, several of which one accepts writes, a pooler, wrong ones."""

from __future__ import annotations

from pathlib import Path

import psycopg
from django.db import connection

from config.postgres import databases
from deploy.embedded import ports
from tests.config.process.settings_process import settings_with
from tests.conftest import world


def test_several_hosts_are_tried_for_one_that_writes() -> None:
    found = databases.parse(
        "postgresql://me:p%40ss@one:5433,two/room?sslmode=require", name="x", kept_s=5, pooled=False
    )
    assert (found["HOST"], found["PORT"]) == ("one,two", "5433,5432")
    assert found["OPTIONS"]["target_session_attrs"] == "read-write"
    assert found["PASSWORD"] == "p@ss" and found["OPTIONS"]["sslmode"] == "require"


def test_options_of_libpq_and_of_django_are_known() -> None:
    found = databases.parse(
        "postgresql:///room?host=/var/run/postgresql&application_name=x&assume_role=room",
        name="x",
        kept_s=0,
        pooled=False,
    )
    assert (found["HOST"], found["OPTIONS"]["host"]) == ("", "/var/run/postgresql")
    assert found["OPTIONS"]["assume_role"] == "room"


def test_behind_a_pooler_nothing_is_set_in_the_session() -> None:
    found = databases.parse("postgresql://me@one/room", name="x", kept_s=0, pooled=True)
    assert "options" not in found["OPTIONS"] and found["DISABLE_SERVER_SIDE_CURSORS"]


def test_no_query_starts_processes_beside_its_own(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_parallel_workers_per_gather")
        assert cursor.fetchone() == ("0",)


def test_a_dead_host_before_the_primary_costs_nothing_but_a_try(db: None) -> None:
    server = world.servers.postgres
    here = f"@{server.address}:{server.port}/"
    url = server.url_of(connection.settings_dict["USER"], connection.settings_dict["NAME"])
    several = url.replace(here, f"@127.0.0.1:{ports.free()},{server.address}:{server.port}/")
    found = databases.parse(several, name="x", kept_s=0, pooled=False)
    with psycopg.connect(
        host=found["HOST"],
        port=found["PORT"],
        user=found["USER"],
        password=found["PASSWORD"],
        dbname=found["NAME"],
        target_session_attrs="read-write",
    ) as asked:
        assert asked.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)


def test_a_wrong_url_of_the_database_stops_the_start(tmp_path: Path) -> None:
    for url, why in (
        ("mysql://me@one/room", "DATABASE_URL begins with mysql://, not postgresql://"),
        ("postgresql://me@one:54x/room", "DATABASE_URL has port '54x', which is no number"),
        (
            "postgresql://me@one/room?sslmod=require",
            'DATABASE_URL has an option that libpq does not know: invalid connection option "ssl',
        ),
    ):
        done = settings_with(tmp_path, DATABASE_URL=url)
        assert done.returncode != 0
        assert why in done.stderr
