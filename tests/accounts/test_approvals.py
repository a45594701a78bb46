"""A second person for large credits and for rights: never the same one, once, in time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from redis import Redis

from accounts.approvals import answering, asking
from accounts.approvals.models import ApprovalRequest
from accounts.approvals.refusals import (
    AccountGone,
    AnsweredAlready,
    AskerLostRight,
    NeedsAnotherPerson,
    NotYourStep,
    RequestExpired,
)
from accounts.deletion import deleting
from accounts.ledger.transfers import account
from accounts.logins import minting
from accounts.models import AccountKind, Transfer, User
from accounts.refusals import AmountRefused
from config import limits
from tests.accounts.browsers import browser
from tests.tournaments.club_scene import staff

pytestmark = pytest.mark.django_db(transaction=True)

ALONE = 100_00
STEPS = "/admin/approvals/approvalrequest/"


@pytest.fixture
def olga(room: Redis, settings: LazySettings) -> User:
    """Operator with the right to credit, in a room with a limit."""
    settings.CREDIT_ALONE_MAX_CENTS = ALONE
    return staff("Olga", "credit_money")


@pytest.fixture
def sam() -> User:
    """Second operator with the right to credit."""
    return staff("Sam", "credit_money")


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("Ann", password=None)


def _asked(by: User, *users: User, amount: int, token: str = "t1") -> ApprovalRequest:
    waiting, new = asking.ask_credit(by, users, amount=amount, reason="Prize", token=token)
    assert waiting is not None and new == []
    return waiting


def _balance(user: User) -> int:
    return account(AccountKind.PLAYER, user=user).balance


def _states() -> list[str]:
    return list(ApprovalRequest.objects.order_by("pk").values_list("state", flat=True))


def test_a_credit_over_the_limit_moves_money_once_another_person_approves(
    olga: User, sam: User, ann: User
) -> None:
    request = _asked(olga, ann, amount=ALONE + 1)
    assert _balance(ann) == 0 and not Transfer.objects.exists()
    answering.approve(request.pk, sam)
    assert _balance(ann) == ALONE + 1
    [transfer] = Transfer.objects.all()
    assert transfer.memo == "Prize"
    logged = LogEntry.objects.filter(user=sam, object_id=str(ann.pk)).get()
    assert "asked by Olga" in logged.change_message and "Prize" in logged.change_message
    for answer in (answering.approve, answering.decline):
        with pytest.raises(AnsweredAlready):
            answer(request.pk, sam)
    assert _balance(ann) == ALONE + 1 and Transfer.objects.count() == 1


def test_the_asker_answers_nothing_and_withdraws(olga: User, sam: User, ann: User) -> None:
    request = _asked(olga, ann, amount=ALONE + 1)
    for answer in (answering.approve, answering.decline):
        with pytest.raises(NeedsAnotherPerson):
            answer(request.pk, olga)
    with pytest.raises(NotYourStep):
        answering.withdraw(request.pk, sam)
    assert _states() == ["waiting"]
    answering.withdraw(request.pk, olga)
    with pytest.raises(AnsweredAlready):
        answering.approve(request.pk, sam)
    assert _states() == ["withdrawn"] and _balance(ann) == 0
    with pytest.raises(IntegrityError), transaction.atomic():  # nor by the database itself
        ApprovalRequest.objects.update(state="approved", answered_by=olga)


def test_an_expired_step_is_refused_and_may_be_declined(olga: User, sam: User, ann: User) -> None:
    request = _asked(olga, ann, amount=ALONE + 1)
    old = timezone.now() - timedelta(hours=answering.EXPIRES_AFTER_HOURS, seconds=1)
    ApprovalRequest.objects.update(asked_at=old)
    with pytest.raises(RequestExpired):
        answering.approve(request.pk, sam)
    assert _states() == ["waiting"] and _balance(ann) == 0
    answering.decline(request.pk, sam)
    assert _states() == ["declined"]


def test_both_persons_need_the_right(olga: User, sam: User, ann: User) -> None:
    request = _asked(olga, ann, amount=ALONE + 1)
    for other in (ann, staff("Clerk", "view_user")):
        with pytest.raises(NotYourStep):
            answering.approve(request.pk, other)
    olga.user_permissions.clear()
    with pytest.raises(AskerLostRight):
        answering.approve(request.pk, sam)
    User.objects.filter(pk=sam.pk).update(is_active=False)
    with pytest.raises(NotYourStep):
        answering.decline(request.pk, User.objects.get(pk=sam.pk))
    assert _states() == ["waiting"] and _balance(ann) == 0


def test_credits_are_summed_over_a_day_and_over_users(olga: User, ann: User) -> None:
    bob = User.objects.create_user("Bob", password=None)
    for token in ("t1", "t1", "t2"):
        asking.ask_credit(olga, [ann], amount=ALONE // 2, reason="Prize", token=token)
    assert _balance(ann) == ALONE and _states() == ["alone", "alone"], "a token counts once"
    _asked(olga, ann, amount=1, token="t3")
    ApprovalRequest.objects.update(asked_at=timezone.now() - timedelta(hours=25))
    _asked(olga, ann, bob, amount=ALONE // 2 + 1, token="t4")
    asking.ask_credit(olga, [ann, bob], amount=ALONE // 2, reason="Prize", token="t5")
    assert (_balance(ann), _balance(bob)) == (ALONE + ALONE // 2, ALONE // 2)


def test_two_credits_at_once_count_each_other(olga: User, ann: User) -> None:
    def ask(token: str) -> None:
        try:
            asking.ask_credit(olga, [ann], amount=ALONE, reason="Prize", token=token)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, ("a", "b", "c", "d")))
    assert _balance(ann) == ALONE
    assert sorted(_states()) == ["alone", "waiting", "waiting", "waiting"]


def test_two_approvals_at_once_pay_once(olga: User, sam: User, ann: User) -> None:
    request, third = _asked(olga, ann, amount=ALONE + 1), staff("Tess", "credit_money")

    def approve(second: User) -> str:
        try:
            return str(answering.approve(request.pk, second).state)
        except AnsweredAlready:
            return "late"
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        told = sorted(pool.map(approve, (sam, third)))
    assert told == ["approved", "late"] and _balance(ann) == ALONE + 1


@pytest.mark.parametrize("amount", [0, -1, limits.TRANSFER_MAX_CENTS + 1])
def test_wrong_amounts_are_refused_before_they_wait(olga: User, ann: User, amount: int) -> None:
    with pytest.raises(AmountRefused):
        asking.ask_credit(olga, [ann], amount=amount, reason="Prize", token="t1")
    assert _states() == []


def test_a_room_without_a_limit_books_at_once(
    olga: User, ann: User, settings: LazySettings
) -> None:
    settings.CREDIT_ALONE_MAX_CENTS = None
    asking.ask_credit(olga, [ann], amount=10**9, reason="Prize", token="t1")
    assert _balance(ann) == 10**9 and _states() == []


def _credit(client: Client, user: User, amount: str) -> str:
    given = {
        "action": "credit",
        "_selected_action": [user.pk],
        "amount": amount,
        "reason": "Prize",
        "token": "A" * 22,
    }
    return client.post("/admin/accounts/user/", given, secure=True, follow=True).content.decode()


def _act(client: Client, action: str, *rows: ApprovalRequest) -> str:
    given = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(STEPS, given, secure=True, follow=True).content.decode()


def test_the_admin_holds_a_credit_and_another_member_of_staff_approves(
    olga: User, sam: User, ann: User
) -> None:
    olga.user_permissions.add(*_permissions("view_user", "change_user"))
    page = _credit(browser(olga), ann, "100.01")
    assert "The credit waits for a second person." in page and _balance(ann) == 0
    [request] = ApprovalRequest.objects.all()
    assert "Another person has to answer this" in _act(browser(olga), "approve", request)
    late = browser(sam)
    session = late.session
    session[minting.CONFIRMED_AT] -= 3600
    session.save()
    assert "Nothing has changed yet" in _act(late, "approve", request)
    assert _balance(ann) == 0
    assert "Ann" in browser(sam).get(STEPS, secure=True).content.decode()
    _act(browser(sam), "approve", request)
    assert _balance(ann) == 100_01
    clerk = browser(staff("Clerk", "view_user"))
    assert clerk.get(STEPS, secure=True).status_code == 403


def _permissions(*codenames: str) -> Any:
    return Permission.objects.filter(codename__in=codenames)


def _rights(client: Client, user: User, **rights: Any) -> str:
    given = {"name": user.name, "email": "", "language": "", "is_active": "on"} | rights
    page = f"/admin/accounts/user/{user.pk}/change/"
    return client.post(page, given, secure=True, follow=True).content.decode()


def test_rights_of_an_account_wait_for_another_superuser(
    room: Redis, ann: User, settings: LazySettings
) -> None:
    settings.RIGHTS_BY_TWO = True
    root = User.objects.create_superuser("Root", password=None)
    [permission] = _permissions("credit_money")
    wanted = {"is_staff": "on", "user_permissions": [permission.pk]}
    page = _rights(browser(root), ann, is_pro="on", **wanted)
    assert "The changed rights wait for a second person." in page
    ann.refresh_from_db()
    assert ann.is_pro and not ann.is_staff and not ann.user_permissions.exists()
    assert "Staff" not in LogEntry.objects.filter(object_id=str(ann.pk)).get().change_message
    [request] = ApprovalRequest.objects.all()
    with pytest.raises(NeedsAnotherPerson):
        answering.approve(request.pk, root)
    with pytest.raises(NotYourStep):
        answering.approve(request.pk, staff("Sam", "credit_money"))
    answering.approve(request.pk, User.objects.create_superuser("Ruth", password=None))
    ann = User.objects.get(pk=ann.pk)
    assert ann.is_staff and not ann.is_superuser and ann.has_perm("accounts.credit_money")


def test_a_group_that_is_gone_gives_no_rights(room: Redis, ann: User) -> None:
    root, ruth = (User.objects.create_superuser(name, password=None) for name in ("Root", "Ruth"))
    kept, gone = (Group.objects.create(name=name) for name in ("Floor", "Desk"))
    wanted = {"is_staff": True, "is_superuser": False, "user_permissions": []}
    request = asking.ask_rights(root, ann, {**wanted, "groups": [kept.pk, gone.pk]})
    gone.delete()
    answering.approve(request.pk, ruth)
    ann.refresh_from_db()
    assert ann.is_staff and list(ann.groups.all()) == [kept]


def test_a_step_for_a_deleted_account_is_refused_and_may_be_declined(
    olga: User, sam: User, ann: User
) -> None:
    root, ruth = (User.objects.create_superuser(name, password=None) for name in ("Root", "Ruth"))
    [permission] = _permissions("credit_money")
    wanted = {"is_staff": True, "is_superuser": True, "groups": []}
    rights = asking.ask_rights(root, ann, {**wanted, "user_permissions": [permission.pk]})
    bob = User.objects.create_user("Bob", password=None)
    paid = _asked(olga, ann, bob, amount=ALONE)
    deleting.delete(ann)
    kept, logged = list(User.objects.order_by("pk").values()), LogEntry.objects.count()
    for request, second in ((rights, ruth), (paid, sam)):
        with pytest.raises(AccountGone):
            answering.approve(request.pk, second)
    assert _states() == ["waiting", "waiting"] and LogEntry.objects.count() == logged
    assert list(User.objects.order_by("pk").values()) == kept
    assert not User.objects.get(pk=ann.pk).user_permissions.exists()
    assert not Transfer.objects.exists() and _balance(bob) == 0
    page = _act(browser(ruth), "approve", rights)
    assert "An account of this step was deleted meanwhile" in page
    assert answering.decline(rights.pk, ruth).state == "declined"


def test_rights_change_at_once_where_the_room_wants_no_second_person(
    room: Redis, ann: User
) -> None:
    root = User.objects.create_superuser("Root", password=None)
    _rights(browser(root), ann, is_staff="on")
    ann.refresh_from_db()
    assert ann.is_staff and _states() == []
