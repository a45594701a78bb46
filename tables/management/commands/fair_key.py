"""Print the public key that signs called hands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tables.fairness.signing import public_key_of
from tables.workers import sealing


class Command(BaseCommand):
    """`manage.py fair_key`."""

    help = "Print the public call key of the room, which verify.py takes as --call-key."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the key as 64 hexadecimal digits; make it when there is none yet."""
        self.stdout.write(public_key_of(sealing.call_key()).hex())
