"""Pruning deletes old log-ins and ended sessions, and keeps effective rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.logins.minting import mint
from accounts.models import AccessToken, User
from accounts.users import access_tokens, pruning
from config import limits
from tournaments.events import bells
from tournaments.running import tasks

pytestmark = pytest.mark.django_db

PASSWORD = "three blind mice"
LOGIN = "/accounts/login/"
NOTED = (AccessAttempt, AccessFailureLog, AccessLog)


def _note(days: int, count: int = 1) -> None:
    """Note log-ins of each kind with that age plus one minute."""
    for kind in NOTED:
        for number in range(count):
            row = kind.objects.create(username=f"user{number}-{days}", **_more(kind))
            when = timezone.now() - timedelta(days=days, minutes=1)
            kind.objects.filter(pk=row.pk).update(attempt_time=when)


def _more(kind: type) -> dict[str, int]:
    return {"failures_since_start": 1} if kind is AccessAttempt else {}


def _left() -> list[int]:
    return [kind.objects.count() for kind in NOTED]


def test_log_ins_older_than_the_setting_are_pruned(settings: Settings) -> None:
    settings.LOGIN_ROWS_KEPT_DAYS = 7
    _note(days=7, count=2)
    _note(days=6)
    assert pruning.prune() == 6
    assert _left() == [1, 1, 1]
    assert pruning.prune() == 0


def test_one_turn_prunes_a_bounded_number_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "PRUNED_AT_ONCE_MAX", 2)
    _note(days=limits.LOGIN_ROWS_KEPT_DAYS, count=3)
    pruning.prune()
    assert _left() == [1, 1, 1]
    pruning.prune()
    assert _left() == [0, 0, 0]


def test_a_lock_out_outlives_the_pruning(client: Client, settings: Settings) -> None:
    settings.LOGIN_ROWS_KEPT_DAYS = 1
    User.objects.create_user("olga", PASSWORD)
    for _ in range(limits.LOGIN_FAILURES_MAX):
        client.post(LOGIN, {"username": "olga", "password": "wrong"})
    pruning.prune()
    found = client.post(LOGIN, {"username": "olga", "password": PASSWORD})
    assert found.status_code == 429
    assert "_auth_user_id" not in client.session
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(days=2))
    pruning.prune()
    assert not AccessAttempt.objects.exists()


def test_sessions_that_are_over_are_pruned_and_open_ones_stay() -> None:
    people = [User.objects.create_user(name) for name in ("olga", "otto")]
    ended, live = (key for _, key in mint(people, 1))
    past = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=ended).update(expire_date=past)
    assert pruning.prune() == 1
    assert list(Session.objects.values_list("session_key", flat=True)) == [live]


def test_the_schedule_prunes_once_an_hour(room: Redis, broker: Redis) -> None:
    _note(days=limits.LOGIN_ROWS_KEPT_DAYS)
    tasks.tick(bells.member(bells.SCHEDULE))
    assert _left() == [0, 0, 0]
    _note(days=limits.LOGIN_ROWS_KEPT_DAYS)
    tasks.tick(bells.member(bells.SCHEDULE))
    assert _left() == [1, 1, 1], "no second pruning within the hour"


def test_expired_tokens_are_pruned_after_a_month_and_valid_ones_stay() -> None:
    owner = User.objects.create_user("olga")
    for name in ("valid", "expired", "old"):
        access_tokens.issue(owner, name=name, scopes=["watch"], days=1)
    for name, days in (("expired", 29), ("old", 31)):
        past = timezone.now() - timedelta(days=days)
        AccessToken.objects.filter(name=name).update(expires_at=past)
    assert pruning.prune() == 1
    assert set(AccessToken.objects.values_list("name", flat=True)) == {"valid", "expired"}
