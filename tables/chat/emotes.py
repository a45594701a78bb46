"""Emotes: a small set of fixed messages, each a key with the symbol that is its text (pure)."""

from __future__ import annotations

from tables.wire.client_commands import EmoteKey

SYMBOLS: dict[EmoteKey, str] = {
    "nice_hand": "\N{CLAPPING HANDS SIGN}",
    "well_played": "\N{THUMBS UP SIGN}",
    "good_luck": "\N{FOUR LEAF CLOVER}",
    "thanks": "\N{PERSON WITH FOLDED HANDS}",
    "hello": "\N{WAVING HAND SIGN}",
    "sorry": "\N{GRIMACING FACE}",
    "wow": "\N{FACE WITH OPEN MOUTH}",
    "laughing": "\N{FACE WITH TEARS OF JOY}",
}
"""Text of an emote by its key; clients name it in their reader's language."""
