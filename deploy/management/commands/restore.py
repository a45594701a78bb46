"""Restore a backup into an empty room: `manage.py restore DIR`, all of it or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backup.manifest import BackupRefused
from deploy.backup.restoring import restore_room
from deploy.backup.servers import servers_of_room


class Command(BaseCommand):
    """`manage.py restore DIR [--keys DIR | --without-keys]`: see docs/backup.md."""

    help = "Restore a backup into an empty room; a wrong backup or another room changes nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder, and where the keys are."""
        parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the backup")
        keys = parser.add_mutually_exclusive_group()
        keys.add_argument("--keys", type=Path, metavar="DIR", help="folder of its key files")
        keys.add_argument(
            "--without-keys", action="store_true", help="leave the keys of this room as they are"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the backup and the room, put everything in place, and say what comes next."""
        try:
            with servers_of_room(self.stdout.write) as room:
                manifest = restore_room(
                    room,
                    options["folder"].absolute(),
                    self.stdout.write,
                    with_keys=not options["without_keys"],
                    keys=options["keys"],
                )
        except BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        if options["without_keys"] or not manifest.keys:
            self.stdout.write("keys: put the key files of that room in place before it starts")
        for name in manifest.keys_elsewhere:
            self.stdout.write(f"{name} was set in the environment of that room: set it here")
        self.stdout.write(
            f"The room is that of {manifest.taken_at}. Next: manage.py prepare --database as the"
            " owner of the database (make play does that itself), and declare the fork of the log"
            " (docs/backup.md)."
        )
