"""Rules of the text of a message: a pure function of the text and the settings of the room."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from config.inputs.readable import has_tower, is_mark, is_unreadable
from tables.chat.refusals import (
    EmptyText,
    LinkRefused,
    TextTooLong,
    UnreadableText,
    WordRefused,
)

TEXT_MAX_CHARACTERS = 200
_SCHEME = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}:/", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?<![\w.])(?:[\w-]+(?:\.|\s?[(\[]dot[)\]]\s?))+([a-z]{2,})(?![\w])(/?)", re.IGNORECASE
)
_ENDINGS = frozenset(
    (
        *("biz", "casino", "cc", "ch", "co", "com", "cz", "de", "dev", "dk", "edu", "es", "eu"),
        *("fi", "fr", "gg", "gr", "hu", "ie", "info", "io", "kz", "link", "ly", "net", "nl"),
        *("online", "org", "pl", "poker", "pt", "ro", "ru", "se", "shop", "site", "space", "store"),
        *("su", "tk", "tv", "ua", "uk", "us", "vip", "ws", "xyz"),
    )
)
"""Endings of addresses that people send."""

_WORDS_TOO = frozenset(
    ("app", "at", "be", "bet", "bg", "in", "is", "it", "live", "me", "no", "so", "to", "top", "win")
)
"""Endings that are words as well: an address only before a slash, as in `t.me/name`."""


class ChatTerms(msgspec.Struct, frozen=True):
    """Settings of a room for texts: links allowed or not, and refused words in folded form."""

    links: bool = False
    words: frozenset[str] = frozenset()


def clean_text(raw: str, terms: ChatTerms) -> str:
    """Return a text as it is stored and shown: composed (NFC), on one line, trimmed.

    Markup is text like any other. Raises ChatRefusal.
    """
    if len(raw) > 4 * TEXT_MAX_CHARACTERS:  # composing shortens a text, though not without end
        raise TextTooLong(most=TEXT_MAX_CHARACTERS)
    if any(is_unreadable(character) for character in raw):
        raise UnreadableText
    text = " ".join(unicodedata.normalize("NFC", raw).split())
    if len(text) > TEXT_MAX_CHARACTERS:
        raise TextTooLong(most=TEXT_MAX_CHARACTERS)
    if has_tower(text):
        raise UnreadableText
    if not any(_is_visible(character) for character in text):
        raise EmptyText
    if not terms.links and has_link(text):
        raise LinkRefused
    if has_word(text, terms.words):
        raise WordRefused
    return text


def fold_word(word: str) -> str:
    """Return a word as it is compared: without case, width, accents and look-alike digits."""
    # Bold, script and squared letters have a case only once they are plain ones.
    plain = _without_marks(_without_marks(word).casefold())
    return plain.translate(_LOOK_ALIKES)


def _without_marks(text: str) -> str:
    """Return a text in plain letters, without marks and joiners, some of which nobody sees."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(character for character in plain if not is_mark(character))


_LOOK_ALIKES = str.maketrans("013457@$", "oieastas")
_FULL_STOPS = str.maketrans("\u3002", ".")
"""Full stops that a browser reads as a dot in an address; plain letters have no other one."""


def has_word(text: str, words: frozenset[str]) -> bool:
    """Return whether a text has one of these folded words as a whole word, or spelt apart."""
    if not words:
        return False
    plain = fold_word(text)
    # Single letters in a row are a word spelt apart: "b a d".
    apart = _APART.sub(lambda match: re.sub(r"[\W_]+", "", match[0]), plain)
    return not words.isdisjoint({*_WORD.findall(plain), *_WORD.findall(apart)})


def is_word(word: str) -> bool:
    """Return whether texts can have a word as `has_word` finds it: letters and digits alone."""
    return _WORD.fullmatch(fold_word(word)) is not None


# Letters and what parts them have no character in common, so that matching takes no long.
_WORD = re.compile(r"[^\W_]+")
_APART = re.compile(r"(?<![^\W_])(?:[^\W_][\W_]+){2,}[^\W_](?![^\W_])")


def has_link(text: str) -> bool:
    """Return whether a text has an address: a scheme, `www.`, or a known ending after a dot."""
    plain = _without_marks(text).translate(_FULL_STOPS)
    if _SCHEME.search(plain):
        return True
    for match in _DOMAIN.finditer(plain):
        ending = match[1].casefold()
        if match[0].casefold().startswith("www.") or ending in _ENDINGS:
            return True
        if ending in _WORDS_TOO and match[2]:
            return True
    return False


def _is_visible(character: str) -> bool:
    # Pictures that are newer than this Python are not assigned for it.
    category = unicodedata.category(character)
    return category[0] in "LNPS" or category == "Cn"
