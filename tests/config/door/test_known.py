"""Known sessions expire and are bounded in number."""

from __future__ import annotations

import pytest

from config import limits
from config.door import known


def test_a_session_is_forgotten_when_it_was_not_shown_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known.note("session-of-olga", 7)
    assert known.user_of("session-of-olga") == 7
    monkeypatch.setattr(limits, "SESSION_KNOWN_S", -1)
    assert known.user_of("session-of-olga") is None


def test_the_sessions_noted_first_make_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SESSIONS_KNOWN_MAX", 2)
    for number in range(4):
        known.note(f"session-{number}", number)
    assert [known.user_of(f"session-{number}") for number in range(4)] == [None, None, 2, 3]
