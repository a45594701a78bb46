"""Refused requests at ring tables: a sentence in words, and every row as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from accounts.models import Account, Posting
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.models import Seat, Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.monitor import audit

ROWS = (RingGame, RingSession, WaitingPlayer, Seat, Table, Account, Posting)
"""Models whose rows a refused request must leave unchanged."""


def facts() -> dict[str, list[Mapping[str, object]]]:
    """Every row of games, sessions, waiting lists, seats, tables, accounts and postings."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in ROWS}


def refused(code: str, act: Callable[[], object]) -> str:
    """Assert that a request is refused with a code and changes no row; return the sentence."""
    before = facts()
    with pytest.raises(Refusal) as refusal:
        act()
    assert refusal.value.code == code
    assert facts() == before
    words = words_of(refusal.value)
    assert words.endswith(".") and "%(" not in words
    assert audit.violations() == []
    return words
