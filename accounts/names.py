"""Rules for player names and for the equality of two names."""

from __future__ import annotations

import re
import unicodedata

from config import limits

BOT_PREFIX = "bot-"
"""Prefix of the names of all bots, refused at sign-up: it marks them wherever a name is shown."""

DELETED_PREFIX = "deleted-"
"""Prefix of the anonymous names of deleted accounts, refused at sign-up."""

# Latin letters only: a Cyrillic "а" beside a Latin "a" would let one player pose as another.
_LETTERS = "[A-Za-z0-9À-ÖØ-öø-žẞ]+"
_ALLOWED = re.compile(f"{_LETTERS}(?:[._-]{_LETTERS})*")


ALIKE, SEEN_AS = "I1O0ıĸ", "llooik"
"""Characters that are read as others, and what each is read as: "PIayer" passes for "Player"."""


def normal(name: str) -> str:
    """Return the stored spelling of a name: NFKC, no blanks around it."""
    return unicodedata.normalize("NFKC", name).strip()


def fold(name: str) -> str:
    """Return the key that is equal for names that differ only in case."""
    return unicodedata.normalize("NFKC", normal(name).casefold())


def is_of_bot(name: str) -> bool:
    """Return whether a name is that of a bot."""
    return fold(name).startswith(BOT_PREFIX)


def allowed(name: str) -> bool:
    """Return whether a name has only letters and digits, with single dots, dashes and underscores
    between them.
    """
    return _ALLOWED.fullmatch(name) is not None


def long_enough(name: str) -> bool:
    """Return whether the length lies between the two limits, in characters."""
    return limits.NAME_MIN_CHARACTERS <= len(name) <= limits.NAME_MAX_CHARACTERS
