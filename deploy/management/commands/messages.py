"""Update the translation catalogs to the texts in the code and compile them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.documents import catalogs


class Command(BaseCommand):
    """`messages` collects and compiles; `--check` fails when a German text is missing."""

    help = "Collect and compile translations; --check fails when one is missing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to only check."""
        parser.add_argument("--check", action="store_true", help="check only, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect, compile, and name the untranslated texts."""
        if not options["check"]:
            catalogs.collect()
            catalogs.compile_all()
        missing = catalogs.untranslated("de")
        for text in missing:
            self.stdout.write(text)
        if missing and options["check"]:
            raise CommandError(f"{len(missing)} texts have no German translation")
        self.stdout.write(f"{len(missing)} texts without German translation")
