"""Prepare a room for its start: tables in PostgreSQL, compiled translations, static files."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import environment
from config.process.server_checks import WrongServer
from deploy.preparation import room
from deploy.preparation.roles import NoRuntimeRole


class Command(BaseCommand):
    """`manage.py prepare`: run it after every upgrade; it makes the deck key of a new room.

    `--files` is for an image, which has no database; `--database` for a start from that image.
    """

    help = "Migrate the database, compile translations, gather static files; then start the room."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for only one half."""
        half = parser.add_mutually_exclusive_group()
        half.add_argument("--files", action="store_true", help="leave the database alone")
        half.add_argument("--database", action="store_true", help="leave the files alone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the outstanding work; a repeated call does nothing."""
        if not options["files"] and not options["database"]:
            room.make_keys()
        if not options["files"]:
            try:
                room.migrate(environment.text("DATABASE_OWNER_URL", ""))
            except (NoRuntimeRole, WrongServer) as problem:
                raise CommandError(str(problem)) from problem
        if not options["database"]:
            room.gather_static(self.stdout.write)
