"""`manage.py orphan_files`: list the stored files that no row names, or remove them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.stored_files.orphans import orphans, remove_orphans


class Command(BaseCommand):
    """Command that changes nothing without --remove."""

    help = "List the stored files that no row names; --remove deletes those older than a day."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option that removes."""
        parser.add_argument("--remove", action="store_true", help="delete them")

    def handle(self, *args: Any, remove: bool, **options: Any) -> None:
        """Name each file, then their number."""
        found = remove_orphans() if remove else list(orphans(timezone.now()))
        for path in found:
            self.stdout.write(path)
        self.stdout.write(f"{'removed' if remove else 'orphan files'}: {len(found)}")
