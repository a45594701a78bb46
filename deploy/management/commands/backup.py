"""Back a whole room up: `manage.py backup DIR` writes database, stored files and key files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backup.manifest import BackupRefused
from deploy.backup.saving import save_room
from deploy.backup.servers import servers_of_room


class Command(BaseCommand):
    """`manage.py backup DIR [--without-keys]`: play may go on; see docs/backup.md."""

    help = "Write a backup of the room into a new folder: database, stored files, key files."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder, and the option to leave the keys out."""
        parser.add_argument("folder", type=Path, metavar="DIR", help="new folder of the backup")
        parser.add_argument(
            "--without-keys", action="store_true", help="no key files: they are kept elsewhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the backup, telling each part."""
        with_keys = not options["without_keys"]
        try:
            with servers_of_room(self.stdout.write, must_exist=True) as room:
                manifest = save_room(
                    room.owner_url,
                    options["folder"].absolute(),
                    self.stdout.write,
                    with_keys=with_keys,
                )
        except BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        if with_keys:
            self.stdout.write(f"keys: {len(manifest.keys)} files")
        for name in manifest.keys_elsewhere:
            self.stdout.write(f"{name} is set in the environment: keep it yourself")
        for name in manifest.keys_missing:
            self.stdout.write(f"{name} has no file here: keep the one of the machine that has it")
        self.stdout.write(f"{options['folder']} is whole")
