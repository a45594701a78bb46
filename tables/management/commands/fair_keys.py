"""Name, make and renew the keys of fair dealing, or give up the hands that a lost one hides."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from base64 import b64encode
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config import clock, environment
from config.environment import KeyFileMissing
from config.redis import room
from tables.fairlog import log_keys
from tables.fairlog.keeper import Keeper
from tables.fairness.escrow import new_auditor
from tables.fairness.notes import key_id
from tables.fairness.signing import public_key_of
from tables.records import month_keys
from tables.records.month_keys import MonthKeys, own_keys, record_keys
from tables.store import deck_keys
from tables.workers import key_files, lost_keys, sealing

AUDITOR = "auditor"
"""Word of the auditor's public key, which the room only reads."""

MONTHLY = {"record": record_keys, "own": own_keys}


class Command(BaseCommand):
    """`manage.py fair_keys [KEY] [--new] [--make] [--lost [--yes]]`; run it where a worker runs."""

    help = "Print the public halves or the names of the keys of fair dealing, or make new ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the key, and the steps: missing files, a new key, the end of hands of a lost one."""
        keys = (*key_files.ALL, AUDITOR)
        parser.add_argument("key", nargs="?", choices=keys, help="all by default")
        step = parser.add_mutually_exclusive_group()
        step.add_argument("--make", action="store_true", help="make the files that are missing")
        step.add_argument("--new", action="store_true", help="make a new key in its file")
        step.add_argument(
            "--private",
            type=Path,
            metavar="FILE",
            help="with auditor, on a machine outside the room: make the private key in FILE",
        )
        step.add_argument(
            "--lost", action="store_true", help="list the hands in play that no deck key here opens"
        )
        parser.add_argument("--yes", action="store_true", help="with --lost: void these hands")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the step that was asked for, then print each key."""
        key = options["key"]
        _check(key, options)
        try:
            if options["make"]:
                for path in key_files.make_missing(everywhere=True):
                    self.stdout.write(f"made {path}")
            if options["new"]:
                self._renew(key)
            if options["lost"]:
                self._give_up(confirmed=options["yes"])
                return
            if options["private"]:
                self.stdout.write(_new_auditor(options["private"]).hex())
                return
            for name in [key] if key else (*key_files.ALL, AUDITOR):
                for line in _lines(name):
                    self.stdout.write(line if key else f"{name}: {line}")
        except (KeyFileMissing, key_files.FormerKeyKept) as refused:
            raise CommandError(str(refused)) from refused

    def _renew(self, name: str) -> None:
        key = key_files.ALL[name]
        if os.environ.get(key.variable):
            old = f", {key.variable}_BEFORE to the old one" if name in ("log", "deck") else ""
            how = f"set it to a new value there{old}, and restart the workers."
            if name in MONTHLY:
                how = (
                    f"put its text into a file, name it by {key.variable}_FILE, and renew it there."
                )
            raise CommandError(f"{key.variable} is set in the environment: {how}")
        if name in MONTHLY:
            month = key_files.renew_month(MONTHLY[name])
            self.stdout.write(f"a new {MONTHLY[name].name} is used from {month} on")
        else:
            if name in ("call", "log"):
                _reach_database()
            key_files.put_aside(key)
            _tell(name)

    def _give_up(self, *, confirmed: bool) -> None:
        deck_keys.held.load_files()
        tables = lost_keys.locked_tables(room())
        for table in tables:
            self.stdout.write(f"table {table}: its hand in play is hidden with a key not held here")
        if not confirmed:
            self.stdout.write(f"{len(tables)} tables; --lost --yes voids these hands for ever.")
            return
        voided = lost_keys.give_up(room(), tables)
        self.stdout.write(f"{voided} of {len(tables)} hands are void; workers start with this key.")


def _reach_database() -> None:
    """Refuse a new signing key that PostgreSQL cannot be told, before any file changes."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as failed:
        raise CommandError(
            f"No key was made: PostgreSQL has to know it, and does not answer: {failed}"
        ) from failed


def _tell(name: str) -> None:
    """Tell the room a new signing key, so that workers start with it also without the old one."""
    if name == "call":
        sealing.call_key.cache_clear()
        sealing.publish_call_key()
    if name == "log" and log_keys.told_keys():
        Keeper().take_turn()


def _lines(name: str) -> list[str]:
    """Return what a key is known by: its public half, or names that tell nothing of it."""
    if name == "call":
        sealing.call_key.cache_clear()
        return [public_key_of(sealing.call_key()).hex()]
    if name == "log":
        public = public_key_of(log_keys.private_keys()[0])
        # The key as tools of other logs read it: name, key id, kind (Ed25519) and key.
        origin = settings.FAIR_ORIGIN
        encoded = b64encode(b"\x01" + public).decode()
        return [public.hex(), f"{origin}+{key_id(origin, public).hex()}+{encoded}"]
    if name == AUDITOR:
        return [environment.auditor_key().hex()] if environment.auditor_key() else []
    if name == "deck":
        deck_keys.held.load_files()
        return [one.hex() for one in deck_keys.held.names()]
    return _months(MONTHLY[name])


def _check(key: str | None, options: dict[str, Any]) -> None:
    """Refuse steps that do not fit the key."""
    if options["yes"] and not options["lost"]:
        raise CommandError("--yes confirms --lost, and nothing else.")
    if options["lost"] and key != "deck":
        raise CommandError("--lost is for the deck key: manage.py fair_keys deck --lost.")
    if options["new"] and key not in key_files.ALL:
        raise CommandError(f"Name the key to renew: {', '.join(key_files.ALL)}.")
    if options["private"] and key != AUDITOR:
        raise CommandError("--private is for the auditor: fair_keys auditor --private FILE.")


def _new_auditor(path: Path) -> bytes:
    """Make a private key in a file that is not there (mode 0600); return its public half."""
    private, public = new_auditor()
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise CommandError(f"{path} cannot be made: {error.strerror}") from error
    with os.fdopen(descriptor, "w") as file:
        file.write(private.hex() + "\n")
    return public


def _months(keys: MonthKeys) -> list[str]:
    """Return each month from the first that a file has to this one, with the name of its key."""
    keys.load_file()
    now = month_keys.month_of(clock.now_ms())
    months = range(keys.first, max(now, keys.first) + 1)
    return [f"{month_keys.text_of(month)} {keys.of(month)[0].hex()}" for month in months]
