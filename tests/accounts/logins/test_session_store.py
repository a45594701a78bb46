"""The room's store of sessions opens those that Django's opens, and no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.logins.session_store import SessionStore, open_session

pytestmark = pytest.mark.django_db


def _kept(store: db.SessionStore) -> str:
    store["seat"] = 7
    store.save()
    assert store.session_key is not None
    return store.session_key


def test_each_store_opens_sessions_of_the_other() -> None:
    """An upgrade logs nobody out, and neither does the way back."""
    assert SessionStore(_kept(db.SessionStore()))["seat"] == 7
    assert db.SessionStore(_kept(SessionStore()))["seat"] == 7


def test_a_session_that_is_over_is_empty_and_its_key_forgotten() -> None:
    key = _kept(SessionStore())
    Session.objects.filter(pk=key).update(expire_date=timezone.now() - timedelta(seconds=1))
    assert open_session(key) is None
    store = SessionStore(key)
    assert store.get("seat") is None
    assert store.session_key is None, "who comes with a key that is over gets a new one"


@pytest.mark.parametrize("key", ["", "x" * 32, "a key' OR '1'='1 of no session at all", "%s%s"])
def test_an_invented_session_opens_nothing(key: str) -> None:
    _kept(SessionStore())
    assert open_session(key) is None
    assert dict(SessionStore(key).items()) == {}
