"""Sign-up: names, passwords, and the first play money."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import authenticate
from django.db import connection
from django.test import RequestFactory
from django.utils import translation

from accounts.ledger import transfers
from accounts.models import Transfer, User
from accounts.refusals import SignUpRefused, words_of
from accounts.users.signup import sign_up
from accounts.users.welcome import welcome
from config import limits

GOOD = "three blind mice"


@pytest.mark.django_db
@pytest.mark.rule("A-01")
def test_a_new_player_gets_play_money_from_the_bank() -> None:
    user = sign_up("Ada", GOOD, "de")
    wallet = transfers.account("player", user=user)
    assert transfers.balance(wallet) == limits.PLAY_MONEY_WELCOME_CENTS
    assert transfers.balance(transfers.account("bank")) == -limits.PLAY_MONEY_WELCOME_CENTS
    assert (user.name, user.language, user.is_staff, user.is_bot) == ("Ada", "de", False, False)


@pytest.mark.django_db
def test_play_money_is_given_once_even_after_the_gift_was_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = sign_up("Ada", GOOD)
    welcome(user)
    monkeypatch.setattr(limits, "PLAY_MONEY_WELCOME_CENTS", 77)
    welcome(user)
    assert transfers.balance(transfers.account("player", user=user)) == 1_000_000
    assert Transfer.objects.get().key == f"welcome:{user.pk}"


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["Ada", "ada", " ADA "])
def test_the_name_logs_in_in_any_case(typed: str) -> None:
    user = sign_up("Ada", GOOD)
    request = RequestFactory().post("/")
    assert authenticate(request, username=typed, password=GOOD) == user
    assert authenticate(request, username=typed, password=GOOD.upper()) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_length"),
        ("  Al  ", "name_length"),
        ("a" * 21, "name_length"),
        ("a" * 100_000, "name_length"),
        ("Ada L", "name_characters"),
        ("Ada<script>", "name_characters"),
        ("Ada\0Ada", "name_characters"),
        ("Аdа", "name_characters"),
        ("bot-0001", "name_reserved"),
        ("BOT-x", "name_reserved"),
        ("berta", "name_taken"),
        ("BERTA", "name_taken"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason(name: str, code: str) -> None:
    User.objects.create_user(name="Berta")
    _refused(name, GOOD, "", code, "name")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("", "password_weak"),
        ("short", "password_weak"),
        ("9182736450", "password_weak"),
        ("password1234", "password_weak"),
        ("Annabella-77", "password_weak"),
        ("x" * 257, "password_length"),
        ("x" * 1_000_000, "password_length"),
    ],
)
def test_a_bad_password_is_refused_with_its_reason(password: str, code: str) -> None:
    _refused("Annabella-7", password, "", code, "password")


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["xx", "DE", "de-DE-x", "../de"])
def test_a_language_without_texts_is_refused(language: str) -> None:
    _refused("Ada", GOOD, language, "language_unknown", "language")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "other"),
    [("Ilona10", "llona1O"), ("Player", "PIayer"), ("Player", "P1AYER"), ("Alice", "Alıce")],
)
def test_a_name_that_is_read_as_that_of_a_user_is_refused(name: str, other: str) -> None:
    user = User.objects.create_user(name=name)
    _refused(other, GOOD, "", "name_alike", "name")
    _refused(name.upper(), GOOD, "", "name_taken", "name")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    found = User.objects.alike(other)
    assert found.get() == user and "user_look" in found.explain()


@pytest.mark.django_db
def test_names_that_are_read_apart_are_free() -> None:
    for name in ("Ali", "All", "Anna1", "Anna2", "Anna", "Ánna", "Bern", "Bem"):
        assert sign_up(name, GOOD).name == name


def _refused(name: str, password: str, language: str, code: str, field: str) -> None:
    """Assert a refusal's code, field and sentence, and that nothing was stored."""
    before = (User.objects.count(), Transfer.objects.count())
    with translation.override("en"), pytest.raises(SignUpRefused) as refused:
        sign_up(name, password, language)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert words_of(refused.value).endswith(".")
    assert (User.objects.count(), Transfer.objects.count()) == before


@pytest.mark.django_db(transaction=True)
def test_of_many_who_want_a_name_at_once_one_gets_it() -> None:
    gun = threading.Barrier(4)

    def try_it(name: str) -> str:
        try:
            gun.wait(timeout=60)
            return sign_up(name, GOOD).name
        except SignUpRefused as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(try_it, ["Clara", "clara", "CLARA", "clarA"]))
    assert results.count("name_taken") == 3
    assert User.objects.get().name in results
    assert Transfer.objects.count() == 1
    assert transfers.total() == 0
