"""Free texts that people read: the signs allowed in them, and their stored spelling (pure)."""

from __future__ import annotations

import unicodedata

MARKS_MAX = 3
"""Combining marks on one character, after composition: more are a tower (zalgo).

Hebrew with all its points writes with three, Thai and Indic scripts with two.
"""

JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that scripts and emoji need between two letters."""

UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols without a shape, in which a text could hide."""

_IGNORED = (range(0x2065, 0x2066), range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000))
"""Characters that are not assigned and never will have a shape: browsers show nothing for them."""

VARIATIONS = frozenset("\ufe0e\ufe0f")
"""Marks that choose between the text and the picture of a symbol."""


def normal_text(text: str) -> str:
    """Return a free text with one kind of line end, composed (NFC), without blanks around it."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def is_readable(text: str) -> bool:
    """Return whether a text has no control, direction or invisible signs, nor stacked marks.

    Line ends and tabs are allowed, and the joiners of scripts and emoji.
    """
    return not any(is_unreadable(character) for character in text) and not has_tower(text)


def is_readable_line(text: str) -> bool:
    """Return whether a text is readable and stands on one line, as names do."""
    return is_readable(text) and {"\n", "\r", "\t"}.isdisjoint(text)


def is_unreadable(character: str) -> bool:
    """Return whether a character is a control, a change of direction, without shape or private."""
    if character in JOINERS or character in "\t\n\r":
        return False
    code = ord(character)
    is_no_character = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    category = unicodedata.category(character)
    return (
        is_no_character
        or character in UNSEEN
        or category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        or (category == "Cn" and any(code in ignored for ignored in _IGNORED))
    )


def is_mark(character: str) -> bool:
    """Return whether a character is written onto the one before it, or joins its neighbours."""
    return unicodedata.category(character)[0] == "M" or character in JOINERS


def has_tower(text: str) -> bool:
    """Return whether a character has too many marks, or a mark stands on none."""
    marks, has_base, joined = 0, False, False
    for character in text:
        if character in JOINERS or character in VARIATIONS:
            if not has_base or (joined and character in JOINERS):
                return True
            joined = character in JOINERS
        elif is_mark(character):
            marks, joined = marks + 1, False
            if marks > MARKS_MAX or not has_base or unicodedata.category(character) == "Me":
                return True
        else:
            marks, has_base, joined = 0, not character.isspace(), False
    return False
