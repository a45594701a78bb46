"""Check of many credentials at once: what was proven is proven again after each change."""

from __future__ import annotations

import pytest
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from tables.gateway import credentials, database

pytestmark = pytest.mark.django_db(transaction=True)

Pair = credentials.Pair


@pytest.fixture
def pairs() -> list[Pair]:
    """Sessions of two users, proven."""
    credentials._proven.clear()
    found: list[Pair] = []
    for name in ("Anna", "Bernd"):
        user, browser = User.objects.create_user(name, password=None), Client()
        browser.force_login(user)
        found.append((str(browser.session.session_key), user.pk))
    assert ended(found) == {}
    return found


def ended(pairs: list[Pair]) -> dict[Pair, str]:
    """Return which are over, and why."""
    try:
        return async_to_sync(credentials.ended)(pairs)
    finally:
        database.close_threads()


def test_unchanged_sessions_are_not_proven_again(pairs: list[Pair]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(credentials, "_speaks_for", lambda *_: False)
        assert ended(pairs) == {}
        credentials._proven.clear()
        assert set(ended(pairs).values()) == {"session_expired"}


def test_a_proven_session_ends_with_each_change(pairs: list[Pair]) -> None:
    anna, bernd = pairs
    assert ended([anna, (bernd[0], anna[1])]) == {(bernd[0], anna[1]): "session_expired"}
    User.objects.filter(pk=anna[1] or 0).update(password="another")
    assert ended(pairs) == {anna: "session_expired"}
    strangers = Session.objects.get(pk=anna[0]).session_data
    Session.objects.filter(pk=bernd[0]).update(session_data=strangers)
    assert ended([bernd]) == {bernd: "session_expired"}
    User.objects.filter(pk=bernd[1] or 0).update(is_active=False)
    assert ended([bernd]) == {bernd: "banned"}


def test_a_session_is_over_without_its_rows(pairs: list[Pair]) -> None:
    anna, bernd = pairs
    Session.objects.filter(pk=anna[0]).delete()
    assert ended(pairs) == {anna: "session_expired"}
    assert ended([(bernd[0], -1)]) == {(bernd[0], -1): "banned"}
