"""Addresses of PostgreSQL: a backup reads them as the processes of the room do."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from config.postgres import databases
from deploy.backup import database
from deploy.backup.manifest import DATABASE, BackupRefused
from deploy.backup.parts import PartFile, Progress
from deploy.embedded.postgres import KEEPER
from tests.conftest import world

PASSWORD = "p@ss:w@rd"


def test_a_password_with_signs_and_a_line_end_reach_the_database(tmp_path: Path) -> None:
    world.server("postgres")
    server, role = world.servers.postgres, f"backup_at_{os.getpid()}"
    url = f"postgresql://{role}:{PASSWORD}@{server.address}:{server.port}/postgres\n"
    settings = databases.parse(url, name="web", kept_s=0, pooled=False)
    assert (settings["PASSWORD"], settings["NAME"]) == (PASSWORD, "postgres")
    with psycopg.connect(server.url_of(KEEPER, "postgres"), autocommit=True) as keeper:
        create = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        keeper.execute(create.format(sql.Identifier(role), sql.Literal(PASSWORD)))
        try:
            assert database.tables_of(url) == []
            with PartFile(tmp_path, DATABASE) as dump:
                database.dump_database(url, dump, Progress(print, "database"))
        finally:
            keeper.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
    assert dump.size and "PGPASSWORD" not in os.environ


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://room:a@host/room?assume_role=other", "assume_role"),
        ("mysql://room:a@host/room", "begins with mysql://"),
        ("postgresql://room:a/b@host/room", "write / as %2F"),
    ],
)
def test_an_address_that_no_program_can_use_is_refused_with_a_sentence(
    url: str, words: str
) -> None:
    with pytest.raises(BackupRefused) as refused:
        database.tables_of(url)
    assert words in str(refused.value)
    assert "room:a" not in str(refused.value), "no part of the password is told"
