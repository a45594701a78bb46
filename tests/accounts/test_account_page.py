"""Account page: the owner changes the password, and all other sessions end."""

from __future__ import annotations

import pytest
from axes.models import AccessAttempt
from django.test import Client

from accounts.models import User
from accounts.users.signup import sign_up
from config import limits

pytestmark = pytest.mark.django_db

OLD, NEW = "correct horse battery", "staple of another kind"


@pytest.fixture
def anna() -> User:
    return sign_up("anna", OLD)


def _form(**change: str) -> dict[str, str]:
    return {"old_password": OLD, "new_password1": NEW, "new_password2": NEW, **change}


def test_a_new_password_counts_from_now_on_and_ends_other_sessions(
    client: Client, anna: User
) -> None:
    elsewhere = Client()
    for one in (client, elsewhere):
        one.force_login(anna)
    page = client.post("/account/", _form(), follow=True).content.decode()
    assert "Your password is changed." in page
    anna.refresh_from_db()
    assert anna.check_password(NEW)
    assert elsewhere.get("/account/").status_code == 302
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"old_password": "guess"}, "Your old password was entered incorrectly"),
        ({"old_password": ""}, "This field is required."),
        ({"new_password1": "", "new_password2": ""}, "This field is required."),
        ({"new_password2": "another one here"}, "The two password fields didn’t match."),
        ({"new_password1": "short", "new_password2": "short"}, "This password is too short."),
        ({"new_password1": "1234567890123", "new_password2": "1234567890123"}, "entirely numeric"),
        ({"new_password1": "x" * 5000, "new_password2": "x" * 5000}, "A password has at most"),
    ],
)
def test_a_change_that_is_refused_changes_nothing(
    client: Client, anna: User, change: dict[str, str], words: str
) -> None:
    client.force_login(anna)
    page = client.post("/account/", _form(**change)).content.decode()
    assert words.replace("’", "&#x27;") in page or words in page
    anna.refresh_from_db()
    assert anna.check_password(OLD)


def test_wrong_old_passwords_lock_the_account_out_as_log_ins_do(client: Client, anna: User) -> None:
    client.force_login(anna)
    for _ in range(limits.LOGIN_FAILURES_MAX):
        last = client.post("/account/", _form(old_password="guess"))
    assert last.status_code == 429 and client.post("/account/", _form()).status_code == 429
    anna.refresh_from_db()
    assert anna.check_password(OLD)
    kept = AccessAttempt.objects.get().post_data
    assert "old_password" in kept and "guess" not in kept and NEW not in kept


def test_account_page_needs_a_log_in(client: Client) -> None:
    answer = client.get("/account/")
    assert answer.status_code == 302 and "/accounts/login/" in answer["Location"]


def test_only_staff_get_a_link_to_the_admin(client: Client, anna: User) -> None:
    client.force_login(anna)
    assert 'href="/admin/"' not in client.get("/").content.decode()
    User.objects.filter(pk=anna.pk).update(is_staff=True)
    for address in ("/", "/account/"):
        assert 'href="/admin/"' in client.get(address).content.decode()
