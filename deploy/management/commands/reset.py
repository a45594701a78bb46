"""Delete all data of a local room: database, Redis files, pictures, mail, static files, logs."""

from __future__ import annotations

import shutil
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import environment
from deploy.processes import layout as layouts
from deploy.processes.lock import DataLock, InUse


class Command(BaseCommand):
    """`manage.py reset`: refused while a room runs on the data."""

    help = "Forget everything the local room wrote. Refused while it runs."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete the data of the room and of every run with files of its own beside it."""
        local = environment.local()
        for home in (*sorted(local.glob("*/")), local):
            if (home / "data").is_dir():
                try:
                    with DataLock(home / "data" / "lock"):
                        self._remove(layouts.choose(home, None)[0])
                except InUse as problem:
                    raise CommandError(str(problem)) from problem
                self.stdout.write(f"{home}: cleared")

    def _remove(self, layout: layouts.Layout) -> None:
        # The servers' files may be in another folder, which their unprivileged user can reach.
        shutil.rmtree(layout.servers().postgres.place, ignore_errors=True)
        gathered, uploaded = layout.home / "static", layout.home / "files"
        for path in (layout.data, layout.logs, layout.run, layout.mail, gathered, uploaded):
            shutil.rmtree(path, ignore_errors=True)
