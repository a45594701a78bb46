"""Tell of the PostgreSQL that answers whether the room believes it: `manage.py database_run`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection
from redis.exceptions import RedisError

from config.redis import room
from tables.store import database_witnesses
from tables.workers import database_gate


class Command(BaseCommand):
    """`manage.py database_run [--accept-loss]`: code 1 while it is not believed."""

    help = "Tell whether the PostgreSQL that answers has all that the room told, and accept it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option that lets the room go on without what is lost."""
        parser.add_argument(
            "--accept-loss",
            action="store_true",
            help="go on with this server: what it lacks is lost, hands in play are void",
        )

    def handle(self, *args: Any, accept_loss: bool, **options: Any) -> None:
        """Compare the server with its witness in Redis; raise CommandError when it is behind."""
        try:
            connection.ensure_connection()
            run, witness, lacks = database_gate.lacking(connection.connection, room())
        # The comparison asks the driver itself: a server may end while it is asked.
        except (OperationalError, psycopg.OperationalError, RedisError) as failed:
            raise CommandError(f"A server does not answer: {failed}") from failed
        number = 0 if witness is None else witness.number
        self.stdout.write(f"run {run.name}, position {run.position}; adopted so far: {number}")
        if not lacks:
            self.stdout.write("Nothing that was told is missing.")
            return
        self.stdout.write("\n".join(f"- {one}" for one in lacks))
        if not accept_loss:
            raise CommandError(
                "The room waits. Bring the right server back, or --accept-loss to go on without"
                " what this one lacks."
            )
        database_witnesses.accept(room(), run.name)
        database_gate.ask_for_adoption()
        self.stdout.write("Accepted: a settle worker adopts it within seconds.")
