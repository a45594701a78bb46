"""Files of the keys of fair dealing: made once, replaced when an operator says so."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

import structlog
from django.db import Error

from config import clock, environment
from config.environment import KeyFileMissing
from tables.records import month_keys
from tables.records.month_keys import MonthKeys, own_keys, record_keys

log = structlog.get_logger(__name__)


class KeyFile(NamedTuple):
    """Key by its name: the variable that holds it, its file, and the way to make the file."""

    variable: str
    path: Callable[[], Path]
    make: Callable[[Path], object]


def _make_month(path: Path) -> None:
    month_keys.make(path, month_keys.month_of(clock.now_ms()))


CALL = KeyFile("CALL_KEY", environment.call_key_file, environment.kept_secret)
LOG = KeyFile("LOG_KEY", environment.log_key_file, environment.kept_secret)
DECK = KeyFile("DECK_KEY", environment.deck_key_file, environment.kept_secret)
RECORD = KeyFile(record_keys.variable, record_keys.path, _make_month)
OWN = KeyFile(own_keys.variable, own_keys.path, _make_month)


class FormerKeyKept(Exception):
    """A new deck key would replace the former one, which hands in play may still need."""


ALL = {"call": CALL, "log": LOG, "deck": DECK, "record": RECORD, "own": OWN}
"""Keys by the word of the command."""


def require_known(
    word: str, public_of: Callable[[str], bytes], told: Callable[[], Collection[bytes]]
) -> None:
    """Compare the file of a signing key with the public keys that the room told; makes no file.

    `told` reads them; none in a room that told none yet. A key that `fair_keys --new` has put aside
    vouches for the new one. A key from the environment is taken as it is, and so is a file while
    PostgreSQL does not answer. Raises KeyFileMissing.
    """
    try:
        known = told()
    except Error as error:
        log.warning("key not compared: no database", key=word, error=str(error))
        return
    key = ALL[word]
    if os.environ.get(key.variable):
        return
    path = key.path()
    if not path.is_file():
        if known:
            raise KeyFileMissing(
                f"The {word} key in {path} is missing, and the room is known by it: restore the"
                f" file, or make a new key with manage.py fair_keys {word} --new."
            )
        return
    files = [one for one in (path, environment.before(path)) if one.is_file()]
    held = {public_of(environment.whole_text(one, f"{word} key")) for one in files}
    if known and held.isdisjoint(known):
        raise KeyFileMissing(
            f"The {word} key in {path} is of another room: put the right file at {path}"
            f" ({key.variable}_FILE), or make a new key with manage.py fair_keys {word} --new."
        )


def make_missing(*, everywhere: bool = False) -> list[Path]:
    """Make the files of keys that no process makes by itself, unless they are there (mode 0600).

    Only in the room's own folder: a key from the environment, and with `everywhere` False a path
    set by the operator, is left alone. Returns the files that were made.
    """
    made = []
    for key in (DECK, RECORD, OWN):
        is_elsewhere = bool(environment.text(f"{key.variable}_FILE", ""))
        if os.environ.get(key.variable) or (is_elsewhere and not everywhere):
            continue
        if not key.path().exists():
            key.make(key.path())
            made.append(key.path())
    return made


def put_aside(key: KeyFile) -> None:
    """Put a key's file aside, where it opens what is older, and make another.

    Raises KeyFileMissing for a deck key without a file, and FormerKeyKept for one after another:
    hands in play may need both.
    """
    path = key.path()
    former = environment.before(path)
    if not path.is_file():
        if key is DECK:
            raise KeyFileMissing(
                f"There is no deck key in {path} to replace; manage.py fair_keys --make makes it."
            )
        return
    if key is DECK and former.exists():
        raise FormerKeyKept(
            f"{former} is the deck key before this one, and hands in play may be hidden with it."
            " When every table has begun a hand since (a day at most), delete that file; then make"
            " a new key."
        )
    os.replace(path, former)
    if key is DECK:
        key.make(path)


def renew_month(keys: MonthKeys) -> str:
    """Add a fresh key from the next month on; return that month. Raises KeyFileMissing."""
    month = month_keys.month_of(clock.now_ms()) + 1
    month_keys.renew(keys.path(), keys.name, month)
    return month_keys.text_of(month)
