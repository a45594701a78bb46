"""Deck keys that this process holds: play and settle workers hide and read cards in play with them.

No other process asks for them: a web process, the auditor or a command of an operator reads open
states, in which hidden cards are "??".
"""

from __future__ import annotations

import time
from functools import lru_cache

import structlog
from redis import Redis

from config import environment, limits, metrics
from config.environment import KeyFileMissing
from tables.fairness import boxes
from tables.fairness.boxes import BoxKey

log = structlog.get_logger(__name__)

PURPOSE = "deckkey"
NAMES = "keys:deck"
"""Redis set of the names of deck keys with which states may be hidden."""


class NoDeckKey(Exception):
    """This process does not hold the deck key that a state is hidden with; nothing is changed."""


class DeckKeys:
    """Deck keys of a process by name, the one for new states first; empty until `load_files`."""

    def __init__(self) -> None:
        self._by_name: dict[bytes, bytes] = {}
        self._read_s = 0.0

    @property
    def are_held(self) -> bool:
        """True in a process that may read cards in play."""
        return bool(self._by_name)

    def load_files(self) -> None:
        """Read the keys from environment and files; raises KeyFileMissing, changing nothing."""
        texts = [environment.deck_key(), environment.deck_key_before()]
        found = [boxes.key_of(text, PURPOSE) for text in texts if text]
        self._by_name = {boxes.name_of(key): key for key in found}
        self._read_s = time.monotonic()

    def drop(self) -> None:
        """Forget the keys, as a process without them."""
        self._by_name = {}

    def names(self) -> list[bytes]:
        """Return the names of the keys, the newest first."""
        return list(self._by_name)

    def newest(self) -> tuple[bytes, bytes]:
        """Return name and bytes of the key for new states; raises NoDeckKey."""
        for name, key in self._by_name.items():
            return name, key
        raise NoDeckKey("this process holds no deck key")

    def named(self, name: bytes) -> bytes:
        """Return the key with a name; raises NoDeckKey.

        A key that another process uses already is read from its file, at most once a second.
        """
        key = self._by_name.get(name)
        waited_s = time.monotonic() - self._read_s
        if key is None and self._by_name and waited_s * 1_000 > limits.KEY_FILES_READ_MS:
            self._read_s = time.monotonic()
            try:
                self.load_files()
            except KeyFileMissing as missing:
                log.error("deck keys not read again", error=str(missing))
            key = self._by_name.get(name)
        if key is None:
            metrics.FAULTS.labels("deck_key_missing").inc()
            raise NoDeckKey(f"no deck key named {name.hex()} is held here")
        return key

    def check(self, redis: Redis) -> None:
        """Compare the keys with those of the room's states, and note the newest for others.

        Raises NoDeckKey when the room used other keys: nothing is changed, no hand is void.
        """
        used = {name for name in redis.smembers(NAMES) if isinstance(name, bytes)}
        if used and not used & self._by_name.keys():
            names = ", ".join(sorted(name.hex() for name in used))
            raise NoDeckKey(
                f"The deck key is {self.newest()[0].hex()}, but hands of this room are hidden with "
                f"{names}: put the right file at DECK_KEY_FILE, or run"
                " manage.py fair_keys deck --lost."
            )
        redis.sadd(NAMES, self.newest()[0])


held = DeckKeys()
"""Keys of this process."""


@lru_cache(4_096)
def of_table(key: bytes, place: bytes) -> BoxKey:
    """Return the key that hides the states of one table in one epoch."""
    return boxes.derived(key, "hide", place)
