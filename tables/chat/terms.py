"""Terms of the room's chat, with the word list of the admin, read again every few seconds."""

from __future__ import annotations

import threading

from django.conf import settings

from config import clock, limits
from tables.chat.models import ChatWord
from tables.chat.rules import ChatTerms, fold_word

_lock = threading.Lock()
_known: tuple[int, frozenset[str]] | None = None


def chat_terms() -> ChatTerms:
    """Return the terms; a change of the word list counts within CHAT_TERMS_KNOWN_S everywhere."""
    global _known
    now_ms = clock.monotonic_ms()
    with _lock:
        if _known is None or now_ms - _known[0] >= limits.CHAT_TERMS_KNOWN_S * 1_000:
            rows = ChatWord.objects.values_list("word", flat=True)
            _known = now_ms, frozenset(fold_word(word) for word in rows)
        return ChatTerms(links=settings.CHAT_LINKS, words=_known[1])


def forget_terms() -> None:
    """Read the word list again before the next message of this process."""
    global _known
    with _lock:
        _known = None
