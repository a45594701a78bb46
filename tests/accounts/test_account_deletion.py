"""Deletion of one's own account: erased, kept, refused with nothing changed, the name retired."""

from __future__ import annotations

import threading

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.clubs import profiles
from accounts.clubs.profiles import ClubProfile
from accounts.deletion import deleting
from accounts.deletion.refusals import LastAdministrator
from accounts.ledger import transfers
from accounts.ledger.credit import credit
from accounts.ledger.transfers import Order, PostingRequest
from accounts.logins import minting
from accounts.models import (
    AccessToken,
    Account,
    Club,
    ClubRole,
    EmailAddress,
    LoginSession,
    Mail,
    Membership,
    OwnLimit,
    Posting,
    RetiredName,
    SecondFactor,
    User,
)
from accounts.refusals import AccountDeleted, SignUpRefused
from accounts.users import access_tokens, own_limits, second_factor, signup
from config import limits
from tests.accounts.browsers import browser
from tests.accounts.mail.addresses import confirmed

PAGE = "/account/delete/"
PASSWORD = "a long password"


@pytest.fixture
def ann(room: Redis, db: None) -> User:
    return User.objects.create_user("Ann", PASSWORD)


def everything(user: User) -> list[object]:
    """Return what a refused deletion must not change."""
    row = User.objects.filter(pk=user.pk).values().get()
    models = (Session, EmailAddress, AccessToken, SecondFactor, OwnLimit, Membership, RetiredName)
    return [row, LogEntry.objects.count(), *(list(model.objects.values()) for model in models)]


def club_of(owner: User, name: str = "Rats") -> Club:
    return profiles.make_club(owner, ClubProfile(name=name))


def test_the_account_is_anonymous_and_everything_personal_is_gone(ann: User) -> None:
    credit([ann], amount=5_000, reason="a gift", token="a" * 32)
    confirmed(ann, "ann@example.org", "ann@example.net")
    for own in ("ann@example.org", "Ann@example.net", "ann@example.com"):
        Mail.objects.create(address=own, subject="x", body="to Ann")
    EmailAddress.objects.create(user=ann, address="ann@example.com")
    # Others wait for addresses, too, and own one that Ann waits for.
    bob = confirmed(User.objects.create_user("Bob"), "bob@example.org")
    EmailAddress.objects.create(user=ann, address="bob@example.org")
    EmailAddress.objects.create(user=bob, address="ann@example.com")
    Mail.objects.create(address="bob@example.org", subject="x", body="to Bob")
    own_limits.change(ann, entries_a_day=3, money_a_week=None)
    SecondFactor.objects.create(user=ann, sealed_secret=second_factor.begin("")[0])
    other, client = browser(ann), browser(ann)
    Client().post("/accounts/login/", {"username": "ANN", "password": "wrong"})
    assert AccessAttempt.objects.exists()
    page = client.get(PAGE).content.decode()
    assert "This cannot be undone" in page and "50.00" in page and "the ledger" in page
    answer = client.post(PAGE, {"password": PASSWORD}, follow=True)
    assert f"It is now deleted-{ann.pk}." in answer.content.decode()
    row = User.objects.get(pk=ann.pk)
    assert (row.name, row.name_key) == (f"deleted-{ann.pk}",) * 2
    assert (row.email, row.is_active, row.has_usable_password()) == ("", False, False)
    assert row.deleted_at is not None and row.last_login is None
    assert {address.user for address in EmailAddress.objects.all()} == {bob}
    assert not any(
        model.objects.exists()
        for model in (Session, LoginSession, OwnLimit, SecondFactor, AccessAttempt)
    )
    assert [mail.address for mail in Mail.objects.all()] == ["bob@example.org"]
    assert other.get("/account/").status_code == 302
    assert [posting.amount for posting in Posting.objects.filter(account__user=row)] == [5_000]
    assert Account.objects.get(user=row).balance == 5_000 and transfers.total() == 0
    logged = LogEntry.objects.latest("pk")
    assert (logged.user, logged.object_repr) == (row, row.name)
    assert logged.change_message == "account deleted by its owner"


def test_nobody_logs_in_or_plays_as_a_deleted_account(ann: User) -> None:
    token = access_tokens.issue(ann, name="bot", scopes=["play"], days=9)
    name = deleting.delete(ann)
    for given in ("Ann", name):
        answer = Client().post("/accounts/login/", {"username": given, "password": PASSWORD})
        assert answer.status_code == 200, "the log-in page again"
    headers = {"authorization": f"Bearer {token}"}
    assert Client(headers=headers).get("/api/v1/wallet").status_code == 401
    with transaction.atomic(), pytest.raises(AccountDeleted):
        own_limits.check_purchase(ann, 0)


@pytest.mark.parametrize("name", ["Ann", "ANN", " ann ", "Änn"])
def test_the_name_is_nobodys_any_more(ann: User, name: str) -> None:
    if name == "Änn":
        ann.name = "äNN"
        ann.save()
    deleting.delete(ann)
    with pytest.raises(SignUpRefused) as refused:
        signup.sign_up(name, "quite another word")
    assert refused.value.code == "name_taken"
    bob = User.objects.create_user("Bob")
    for write in (lambda: User.objects.create_user(name), lambda: rename(bob, name)):
        with pytest.raises(IntegrityError), transaction.atomic():
            write()
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    page = olga.post(reverse("admin:accounts_user_add"), {"name": name}).content.decode()
    assert "This name is taken." in page and User.objects.count() == 3
    assert name.strip().casefold() not in str(list(RetiredName.objects.values()))


def rename(user: User, name: str) -> None:
    user.name = name
    user.save()


def test_names_of_deleted_accounts_are_reserved(ann: User) -> None:
    for name in (f"deleted-{ann.pk}", "Deleted-x"):
        with pytest.raises(SignUpRefused) as refused:
            signup.sign_up(name, "quite another word")
        assert refused.value.code == "name_reserved"
    older = User.objects.create_user(f"Deleted-{ann.pk}")
    assert deleting.delete(ann) == f"deleted-{ann.pk}x" and older.pk != ann.pk


def test_a_wrong_password_an_empty_one_and_a_get_change_nothing(ann: User) -> None:
    client = browser(ann)
    User.objects.create_user("Bob", "the password of Bob")
    before = everything(ann)
    for password in ("", "wrong", "the password of Bob", "x" * 5_000):
        answer = client.post(PAGE, {"password": password, "username": "Bob"})
        assert answer.status_code == 400
    assert client.get(PAGE, {"password": PASSWORD}).status_code == 200
    assert client.delete(PAGE).status_code == 405
    assert Client().post(PAGE, {"password": PASSWORD}).headers["Location"].startswith("/accounts/")
    assert everything(ann) == before


def test_a_password_shown_just_now_is_asked_for_again_and_wrong_ones_lock_out(
    ann: User, settings: Settings
) -> None:
    settings.PASSWORD_AGAIN_MINUTES = 0
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = minting.mint([ann], 1)[0][1]
    assert client.post(PAGE).status_code == 400
    for _ in range(limits.LOGIN_FAILURES_MAX):
        last = client.post(PAGE, {"password": "wrong"})
    assert last.status_code == 429
    client.post(PAGE, {"password": PASSWORD})
    assert User.objects.get(pk=ann.pk).name == "Ann", "locked out for the right one too"


def test_a_debt_the_last_owner_and_the_last_administrator_are_refused_together(
    room: Redis, db: None
) -> None:
    olga = User.objects.create_superuser("Olga", PASSWORD)
    wallet = transfers.account("player", user=olga)
    Account.objects.filter(pk=wallet.pk).update(floor=-1_000)
    postings = [PostingRequest(wallet, -250), PostingRequest(transfers.account("bank"), 250)]
    transfers.transfer_all([Order("test", "credit", postings, overdraft=1_000)])
    club_of(olga)
    client, before = browser(olga), everything(olga)
    answer = client.post(PAGE, {"password": PASSWORD})
    page = answer.content.decode()
    assert answer.status_code == 409 and 'name="password"' not in page
    assert "overdrawn by 2.50" in page and "last owner of Rats" in page
    assert "last administrator of the room" in page
    assert everything(olga)[0] == before[0] and everything(olga)[2:] == before[2:]


def test_an_owner_beside_another_one_leaves_the_club(ann: User) -> None:
    bob = User.objects.create_user("Bob")
    club = club_of(ann)
    Membership.objects.create(club=club, user=bob, role=ClubRole.OWNER)
    deleting.delete(ann)
    assert list(Membership.objects.values_list("user", flat=True)) == [bob.pk]
    assert club.audit.latest("pk").action == "leave"


def test_a_deleted_account_is_neither_changed_nor_unbanned_in_the_admin(ann: User) -> None:
    deleting.delete(ann)
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    form = {"action": "unban", "_selected_action": [ann.pk]}
    olga.post(reverse("admin:accounts_user_changelist"), form)
    change = reverse("admin:accounts_user_change", args=[ann.pk])
    assert olga.get(change).status_code == 200
    assert olga.post(change, {"name": "Ann", "is_active": "on"}).status_code == 403
    row = User.objects.get(pk=ann.pk)
    assert not row.is_active and row.name == f"deleted-{ann.pk}"


@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_leave_at_once_one_stays(room: Redis) -> None:
    two = [User.objects.create_superuser(name, PASSWORD) for name in ("Olga", "Stan")]
    refused: list[LastAdministrator] = []
    start = threading.Barrier(2)

    def leave(user: User) -> None:
        start.wait()
        try:
            deleting.delete(user)
        except LastAdministrator as refusal:
            refused.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=leave, args=[user]) for user in two]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1
