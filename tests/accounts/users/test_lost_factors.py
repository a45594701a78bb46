"""Second factors of people who lost them: removed by superusers alone, and told."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.logins import minting
from accounts.models import Mail, Passkey, SecondFactor, User
from accounts.users import second_factor
from tests.accounts.mail.addresses import confirmed

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"


@pytest.fixture
def ann(room: Redis) -> User:
    return holder("Ann")


def holder(name: str, **fields: bool) -> User:
    """A user with a second factor and a passkey."""
    user = User.objects.create_user(name, PASSWORD, **fields)
    held, _secret = second_factor.begin("")
    SecondFactor.objects.create(user=user, sealed_secret=held, confirmed_at=timezone.now())
    Passkey.objects.create(user=user, name="phone", credential=name, data=b"")
    return user


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(user: User) -> str:
    return reverse("admin:accounts_user_factors", args=[user.pk])


def test_the_owner_logs_in_by_password_afterwards_and_is_told(
    ann: User, settings: Settings
) -> None:
    settings.MAIL_URL = "file:///unused"
    confirmed(ann, "ann@example.org")
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    user_page = reverse("admin:accounts_user_change", args=[ann.pk])
    assert page_of(ann) in olga.get(user_page).content.decode()
    assert "Be sure who asks" in olga.get(page_of(ann)).content.decode()
    answer = olga.post(page_of(ann), {"reason": "lost phone, met in person"}, follow=True)
    assert "Ann logs in with the password alone now." in answer.content.decode()
    assert page_of(ann) not in answer.content.decode()
    form = {"username": "Ann", "password": PASSWORD}
    assert Client().post("/accounts/login/", form).headers["Location"] == "/"
    assert not Passkey.objects.exists()
    olga.post(page_of(ann), {"reason": "sent again"})  # removes, logs and mails nothing more
    row = LogEntry.objects.get(object_id=str(ann.pk))
    assert "removed: lost phone, met in person" in row.change_message
    mail = Mail.objects.get(subject="Your second factor was removed")
    assert mail.address == "ann@example.org" and "the passkeys of Ann" in mail.body


def test_without_a_reason_and_without_a_factor_nothing_is_removed(ann: User) -> None:
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    assert "errorlist" in olga.post(page_of(ann), {"reason": " "}).content.decode()
    assert SecondFactor.objects.count() == Passkey.objects.count() == 1
    ben = User.objects.create_user("Ben", PASSWORD)
    assert "no second factor" in olga.get(page_of(ben)).content.decode()
    german = olga.get(page_of(ann), headers={"Accept-Language": "de"}).content.decode()
    assert "Zweiten Faktor entfernen" in german


def test_staff_players_and_oneself_are_refused(ann: User) -> None:
    sam = User.objects.create_user("Sam", PASSWORD, is_staff=True)
    sam.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    olga = holder("Olga", is_staff=True, is_superuser=True)
    gone = holder("Gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    tried = [(sam, ann), (sam, olga), (ann, ann), (ann, olga), (olga, olga), (olga, gone)]
    for actor, user in tried:
        for answer in (
            browser(actor).get(page_of(user)),
            browser(actor).post(page_of(user), {"reason": "please"}),
        ):
            assert answer.status_code in (302, 403), (actor.name, user.name)
    assert SecondFactor.objects.count() == Passkey.objects.count() == 3
    assert Client().get(page_of(ann)).status_code == 302
    assert browser(olga).get(reverse("admin:accounts_user_factors", args=[0])).status_code == 404


def test_a_device_left_logged_in_is_asked_for_the_password(ann: User) -> None:
    olga = browser(User.objects.create_superuser("Olga", PASSWORD))
    session = olga.session
    session[minting.CONFIRMED_AT] -= 3600
    session.save()
    for answer in (olga.get(page_of(ann)), olga.post(page_of(ann), {"reason": "please"})):
        assert answer.headers["Location"].startswith("/account/confirm/?next=")
    assert SecondFactor.objects.filter(user=ann).exists()
