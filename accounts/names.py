"""What a player may be called, and when two names are the same name."""

from __future__ import annotations

import re
import unicodedata

from config import limits

# Bots carry it (accounts.users.bots), so nobody can sign up as one of them.
BOT_PREFIX = "bot-"

# Latin letters only: a Cyrillic "а" beside a Latin "a" would let one player pose as another.
_LETTERS = "[A-Za-z0-9À-ÖØ-öø-žẞ]+"
_ALLOWED = re.compile(f"{_LETTERS}(?:[._-]{_LETTERS})*")


def normal(name: str) -> str:
    """The one spelling under which a name is stored: NFKC, no blanks around it."""
    return unicodedata.normalize("NFKC", name).strip()


def fold(name: str) -> str:
    """The key under which names that differ only in case are the same name."""
    return unicodedata.normalize("NFKC", normal(name).casefold())


def allowed(name: str) -> bool:
    """Letters and digits, with single dots, dashes and underscores between them."""
    return _ALLOWED.fullmatch(name) is not None


def long_enough(name: str) -> bool:
    """Whether the length lies between the two limits, in characters."""
    return limits.NAME_MIN_CHARACTERS <= len(name) <= limits.NAME_MAX_CHARACTERS
