"""Rights that wait for a second person: changes alone, and in words that the person reads."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.approvals import answering, asking
from accounts.approvals.models import ApprovalRequest
from accounts.models import User
from tests.accounts.browsers import browser

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = "/admin/approvals/approvalrequest/"


@pytest.fixture
def root(room: Redis, settings: LazySettings) -> User:
    """Superuser of a room where rights want two persons."""
    settings.RIGHTS_BY_TWO = True
    return User.objects.create_superuser("Root", password=None)


@pytest.fixture
def ruth() -> User:
    """Second superuser."""
    return User.objects.create_superuser("Ruth", password=None)


def _save(client: Client, user: User, **rights: Any) -> ApprovalRequest:
    given = {"name": user.name, "email": "", "language": "", "is_active": "on"} | rights
    page = f"/admin/accounts/user/{user.pk}/change/"
    assert client.post(page, given, secure=True).status_code == 302
    asked = ApprovalRequest.objects.order_by("pk").last()
    assert asked is not None
    return asked


def test_a_step_gives_back_nothing_that_another_one_took_meanwhile(root: User, ruth: User) -> None:
    sue = User.objects.create_superuser("Sue", password=None)
    floor, desk = (Group.objects.create(name=name) for name in ("Floor", "Desk"))
    sue.groups.add(floor)
    as_now = {"is_staff": "on", "is_superuser": "on", "groups": [floor.pk]}
    into_desk = _save(browser(root), sue, **as_now | {"groups": [floor.pk, desk.pk]})
    down = _save(browser(root), sue, is_staff="on", groups=[])
    answering.approve(down.pk, ruth)
    answering.approve(into_desk.pk, ruth)
    sue.refresh_from_db()
    assert sue.is_staff and not sue.is_superuser
    assert list(sue.groups.all()) == [desk]


def test_the_second_person_reads_what_a_step_gives_and_takes(root: User, ruth: User) -> None:
    ann = User.objects.create_user("Ann", password=None)
    floor = Group.objects.create(name="Floor")
    ann.groups.add(floor)
    permission = Permission.objects.get(codename="credit_money")
    step = _save(browser(root), ann, is_staff="on", user_permissions=[permission.pk])
    for address in (STEPS, f"{STEPS}{step.pk}/change/"):
        page = browser(ruth).get(address, secure=True).content.decode()
        assert "Ann" in page, address
        for words in ("+ Staff status", "− Groups: Floor", f"{permission.name}"):
            assert f">{words}<" in page or f" | {words}<" in page, (address, words)
    german = browser(ruth).get(STEPS, secure=True, headers={"Accept-Language": "de"})
    assert "− Gruppen: Floor" in german.content.decode()


def test_the_list_of_steps_reads_its_names_at_once(root: User, ruth: User) -> None:
    desk, numbers = Group.objects.create(name="Desk"), count()

    def counted(people: int) -> int:
        for _ in range(people):
            user = User.objects.create_user(f"P{next(numbers)}", password=None)
            asking.ask_rights(root, user, {"groups": {"add": [desk.pk], "remove": []}})
        with CaptureQueriesContext(connection) as queries:
            assert browser(ruth).get(STEPS, secure=True).status_code == 200
        return len(queries)

    counted(1)
    few = counted(1)
    assert counted(10) == few
