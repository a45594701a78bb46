"""Warnings: decided once, told to the player on every page, acknowledged once, and kept."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.deletion import deleting
from accounts.models import User
from accounts.users.account_export import zipped
from tables.conduct import deciding
from tables.conduct.models import ConductCase, ConductWarning
from tables.conduct.refusals import CaseDecided, NoSuchWarning
from tables.conduct.scoring import SignFinding, keep_case
from tables.conduct.warnings import giving
from tables.conduct.warnings.notices import TOLD_WITHIN, WARNING
from tables.conduct.warnings.own_pages import SENTENCES
from tables.store import keys
from tests.redis_answers import entries_of
from tests.tournaments.club_scene import person, staff
from tests.tournaments.conftest import house

__all__ = ["house"]

pytestmark = pytest.mark.django_db(transaction=True)

State = ConductCase.State


def case_of(user: User, other: User | None = None, sign: str = "seeing") -> ConductCase:
    keep_case(SignFinding(sign, user.pk, None if other is None else other.pk, 1.2, {}))
    return ConductCase.objects.latest("pk")


def shown(user: User, address: str = "/account/") -> str:
    looking = Client()
    looking.force_login(user)
    return looking.get(address).content.decode()


def test_a_warned_player_is_told_on_the_next_page_and_on_the_stream(house: Redis) -> None:
    ann, bob, by = person("Ann"), person("Bob"), staff("Staff", "decide_cases")
    case = case_of(ann, bob, "dumping")
    page = f"/admin/conduct/conductcase/{case.pk}/change/"
    desk = Client()
    desk.force_login(by)
    given = {"step": f"warned:{ann.pk}", "reason": "gave twice", "words": "Play <b>fair</b>."}
    assert desk.post(page, given, secure=True).status_code == 302
    assert "The room has warned you" in shown(ann) and "/account/warnings/" in shown(ann)
    assert "The room has warned you" not in shown(bob)
    told = shown(ann, "/account/warnings/")
    assert str(SENTENCES["dumping"]) in told and "Play &lt;b&gt;fair&lt;/b&gt;." in told
    assert "Bob" not in told and "gave twice" not in told, (
        "neither the other nor the reason of the record"
    )
    row = ConductWarning.objects.get()
    events = entries_of(house, keys.events(f"user:{ann.pk}", settings.SHARDS))
    decoded = [msgspec.json.decode(fields[b"e"]) for _, fields in events]
    assert {"type": "warned", "warning": row.pk} in [
        {name: one.get(name) for name in ("type", "warning")} for one in decoded
    ]
    assert "Ann was warned and has not read it." in desk.get(page, secure=True).content.decode()


def test_a_warning_is_acknowledged_once_by_its_player_alone(house: Redis) -> None:
    ann, bob, by = person("Ann"), person("Bob"), staff("Staff", "decide_cases")
    case = case_of(ann)
    deciding.decide(case, by, State.WARNED, "first time")
    row = ConductWarning.objects.get()
    with pytest.raises(NoSuchWarning):
        giving.read(bob, row.pk)
    other = Client()
    other.force_login(bob)
    assert other.post(f"/account/warnings/{row.pk}/read/").status_code == 404
    assert Client().post(f"/account/warnings/{row.pk}/read/").status_code == 302, "log in first"
    assert ConductWarning.objects.filter(read_at=None).exists()
    own = Client()
    own.force_login(ann)
    assert own.get(f"/account/warnings/{row.pk}/read/").status_code == 405
    told = own.post(f"/account/warnings/{row.pk}/read/", follow=True).content.decode()
    assert "Noted: you have read the warning." in told and "I have read it" not in told
    row.refresh_from_db()
    first = row.read_at
    assert first is not None and not giving.read(ann, row.pk)
    row.refresh_from_db()
    assert row.read_at == first
    record = [(one.user, one.change_message) for one in deciding.record_of(case)]
    assert record == [(by, "warned Ann: first time"), (ann, f"read the warning {row.pk}")]
    assert "The room has warned you" not in shown(ann)


def test_both_players_of_a_case_are_warned_with_one_decision(house: Redis) -> None:
    ann, bob, by = person("Ann"), person("Bob"), staff("Staff", "decide_cases")
    case = case_of(ann, bob, "soft_play")
    again = ConductCase.objects.get()
    deciding.decide(case, by, State.WARNED, "both", words="Do not.")
    with pytest.raises(CaseDecided):
        deciding.decide(again, by, State.WARNED, "again")
    rows = ConductWarning.objects.order_by("user")
    assert [(row.user, row.words) for row in rows] == [(ann, "Do not."), (bob, "Do not.")]
    entry = LogEntry.objects.get()
    assert entry.change_message == "warned Ann, Bob: both (Do not.)"


def test_other_steps_warn_nobody(house: Redis, client: Client) -> None:
    ann, by = person("Ann"), staff("Staff", "decide_cases")
    case = case_of(ann)
    page = f"/admin/conduct/conductcase/{case.pk}/change/"
    client.force_login(by)
    for wrong in (
        {"step": f"warned:{by.pk}", "reason": "another", "words": ""},
        {"step": "warned:x", "reason": "no player", "words": ""},
        {"step": f"warned:{ann.pk}", "reason": "too long", "words": "x" * 301},
    ):
        assert client.post(page, wrong, secure=True).status_code == 200
    case.refresh_from_db()
    assert case.state == State.OPEN and not LogEntry.objects.exists()
    given = {"step": "dismissed", "reason": "luck", "words": "unread"}
    assert client.post(page, given, secure=True).status_code == 302
    assert not ConductWarning.objects.exists() and "warned you" not in shown(ann)


def test_a_warning_is_notified_until_it_is_read_or_old(house: Redis) -> None:
    ann, bob, by = person("Ann"), person("Bob"), staff("Staff", "decide_cases")
    deciding.decide(case_of(ann, bob, "dumping"), by, State.WARNED, "both")
    now, everybody = timezone.now(), User.objects.all()
    found = list(WARNING.find(now, everybody))
    assert [(one.user, one.link) for one in found] == [
        (ann.pk, "/account/warnings/"),
        (bob.pk, "/account/warnings/"),
    ]
    assert [one.user for one in WARNING.find(now, everybody.filter(pk=bob.pk))] == [bob.pk]
    giving.read(ann, ConductWarning.objects.get(user=ann).pk)
    assert [one.user for one in WARNING.find(now, everybody)] == [bob.pk]
    assert not list(WARNING.find(now + TOLD_WITHIN + timedelta(seconds=1), everybody))


def test_warnings_are_exported_and_deleted_with_the_account(house: Redis) -> None:
    ann, bob, by = person("Ann"), person("Bob"), staff("Staff", "decide_cases")
    deciding.decide(case_of(ann), by, State.WARNED, "first", words="Mine alone.")
    deciding.decide(case_of(bob), by, State.WARNED, "first")
    assert b"warnings.csv" in zipped(ann)
    deleting.delete(ann)
    assert [row.user for row in ConductWarning.objects.all()] == [bob]
    deleted = User.objects.get(pk=ann.pk)
    deciding.decide(case_of(deleted, sign="reported"), by, State.WARNED, "too late")
    assert ConductWarning.objects.count() == 1, "nobody reads a deleted account's warning"


def test_every_sign_has_its_sentence() -> None:
    assert set(SENTENCES) == set(ConductCase.Sign.values)
