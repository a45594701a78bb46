"""Print the public keys that sign called hands and heads of the log, or make new ones."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from base64 import b64encode
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import environment
from tables.fairlog import log_keys
from tables.fairness.notes import key_id
from tables.fairness.signing import public_key_of
from tables.workers import sealing


class Command(BaseCommand):
    """`manage.py fair_key [--log] [--new call|log]`."""

    help = "Print the public call key of the room, which verify.py takes as --call-key."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: the key of the log, and a new key."""
        parser.add_argument(
            "--log", action="store_true", help="print the log key, for --log-key of verify.py"
        )
        parser.add_argument(
            "--new", choices=("call", "log"), help="make a new key in its file, then print it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the key as 64 hexadecimal digits; make it when there is none yet."""
        is_log = options["log"] or options["new"] == "log"
        if options["new"]:
            _renew("LOG_KEY" if is_log else "CALL_KEY", is_log=is_log)
        if not is_log:
            sealing.call_key.cache_clear()
            self.stdout.write(public_key_of(sealing.call_key()).hex())
            return
        public = public_key_of(log_keys.private_keys()[0])
        self.stdout.write(public.hex())
        # The key as tools of other logs read it: name, key id, kind (Ed25519) and key.
        origin = settings.FAIR_ORIGIN
        encoded = b64encode(b"\x01" + public).decode()
        self.stdout.write(f"{origin}+{key_id(origin, public).hex()}+{encoded}")


def _renew(name: str, *, is_log: bool) -> None:
    """Put the key's file aside, so that the next reader makes a new key."""
    if name in os.environ:
        raise CommandError(
            f"{name} is set in the environment: set it to a new value there, and restart the"
            f" workers that settle." + (f" Set {name}_BEFORE to the old one." if is_log else "")
        )
    path = environment.log_key_file() if is_log else environment.call_key_file()
    if path.is_file():
        os.replace(path, environment.before(path))
