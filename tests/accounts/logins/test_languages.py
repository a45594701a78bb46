"""Language of an account: kept at log-in and by a switch, on other devices, in mails."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from redis import Redis

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
COOKIE = settings.LANGUAGE_COOKIE_NAME


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_user("Ann", PASSWORD)


def logged_in(browser: str) -> Client:
    client = Client(headers={"accept-language": browser})
    answer = client.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def switched(client: Client, language: str) -> None:
    assert client.post("/i18n/setlang/", {"language": language, "next": "/"}).status_code == 302


def stored(user: User) -> str:
    return User.objects.get(pk=user.pk).language


def heading_language(client: Client) -> str:
    page = client.get("/account/").content.decode()
    return page.split('<html lang="')[1].split('"')[0]


def test_the_first_log_in_keeps_the_language_of_its_page(ann: User) -> None:
    logged_in("de-AT,de;q=0.9")
    assert stored(ann) == "de"
    logged_in("en-GB")
    assert stored(ann) == "de", "another browser does not change it"


def test_a_new_account_has_the_language_of_its_page(room: Redis) -> None:
    client = Client(headers={"accept-language": "de"})
    words = {"name": "Bea", "password": "quite a long word", "password_again": "quite a long word"}
    client.post("/accounts/signup/", words)
    assert User.objects.get(name="Bea").language == "de"


def test_a_device_without_a_language_takes_that_of_the_account(ann: User) -> None:
    logged_in("de")
    elsewhere = logged_in("en-GB")
    assert heading_language(elsewhere) == "de"


def test_a_device_whose_language_was_chosen_keeps_it(ann: User) -> None:
    logged_in("de")
    chosen = Client(headers={"accept-language": "de"})
    switched(chosen, "en")
    chosen.post("/accounts/login/", {"username": "Ann", "password": PASSWORD})
    assert heading_language(chosen) == "en"
    assert stored(ann) == "de"


def test_a_switch_changes_the_language_of_the_account(ann: User) -> None:
    client = logged_in("en")
    switched(client, "de")
    assert stored(ann) == "de"


@pytest.mark.parametrize("language", ["fr", "xx", "", "../de", "de" * 9])
def test_a_language_the_room_does_not_speak_changes_nothing(ann: User, language: str) -> None:
    client = logged_in("de")
    client.post("/i18n/setlang/", {"language": language, "next": "/"})
    assert stored(ann) == "de"


def test_a_stranger_switches_the_language_of_no_account(ann: User) -> None:
    logged_in("en")
    switched(Client(), "de")
    assert stored(ann) == "en"
