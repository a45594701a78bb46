"""Makes a room ready to start: tables in PostgreSQL, compiled translations, static files."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import environment
from deploy.preparation import room
from deploy.preparation.roles import NoRuntimeRole


class Command(BaseCommand):
    """`manage.py prepare`: after every upgrade.

    `--files` in an image, which knows no database; `--database` where the files are the image's.
    """

    help = "Migrate the database, compile translations, gather static files; then start the room."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """All of it, or only one half."""
        half = parser.add_mutually_exclusive_group()
        half.add_argument("--files", action="store_true", help="leave the database alone")
        half.add_argument("--database", action="store_true", help="leave the files alone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is not done yet; nothing to do is normal."""
        if not options["files"]:
            try:
                room.migrate(environment.text("DATABASE_OWNER_URL", ""))
            except NoRuntimeRole as problem:
                raise CommandError(str(problem)) from problem
        if not options["database"]:
            room.gather_static(self.stdout.write)
