"""A database of its own for a test that migrates it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql
from pytest_django import DjangoDbBlocker

from deploy.embedded.postgres import KEEPER, ROOM
from tests.conftest import world


@contextmanager
def a_database(name: str, blocker: DjangoDbBlocker) -> Iterator[Callable[[], psycopg.Connection]]:
    """Make an empty database for Django's connection of this thread; yield a way to connect."""
    world.server("postgres")
    servers = world.servers.postgres
    shared, address = connection.settings_dict, settings.DATABASE_URL
    # All processes of a run share the server, and may run tests of one module side by side.
    name = f"{name}_{os.getpid()}"
    quoted = sql.Identifier(name)
    with psycopg.connect(servers.url_of(KEEPER, "postgres"), autocommit=True) as keeper:
        keeper.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(quoted))
        keeper.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(quoted, sql.Identifier(ROOM)))
        with blocker.unblock():
            connection.close()
            # All threads share these settings: one that lasts would follow into this database.
            connection.settings_dict = {**shared, "NAME": name}
            try:
                yield lambda: psycopg.connect(servers.url_of(ROOM, name))
            finally:
                connection.close()
                connection.settings_dict = shared
                settings.DATABASE_URL = address
        keeper.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))
