"""Second factor: codes of an app and recovery codes, each once, with bounded tries."""

from __future__ import annotations

import re

import pyotp
import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.clubs import bank
from accounts.clubs.profiles import ClubProfile, make_club
from accounts.models import AccessToken, SecondFactor, User
from accounts.users import second_factor
from config import limits

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
PAGE, CODE = "/account/code/", "/accounts/login/code/"


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_superuser("Ann", PASSWORD)


def code_of(secret: str, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(int(timezone.now().timestamp()) + 30 * steps)


def switched_on(user: User) -> tuple[str, list[str]]:
    held, secret = second_factor.begin("")
    return secret, second_factor.confirm(user, code_of(secret), held)


def shown_to(client: Client) -> str:
    """Secret on the page of the second factor."""
    return str(re.findall(r'id="secret">(\w+)<', client.get(PAGE).content.decode())[0])


def with_password(path: str = "/accounts/login/") -> Client:
    client = Client()
    client.post(path, {"username": "Ann", "password": PASSWORD, "next": "/wallet/"})
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def test_the_page_switches_the_factor_on_and_shows_recovery_codes_once(ann: User) -> None:
    client = Client()
    client.force_login(ann)
    page = client.get(PAGE).content.decode()
    secret = re.findall(r'id="secret">(\w+)<', page)[0]
    assert "<svg" in page and "otpauth://totp/" in page
    assert "autofocus" not in page, "a phone on its side would open at the field, below the picture"
    for wrong in ("", "000000x", "12345", "x" * 100):
        assert client.post(PAGE, {"code": wrong}).status_code == 400
    assert not second_factor.is_on(ann)
    shown = client.post(PAGE, {"code": code_of(secret)}).content.decode()
    codes = re.findall(r"<li><code>(\w+)<", shown)
    assert len(codes) == limits.RECOVERY_CODES and second_factor.is_on(ann)
    row = SecondFactor.objects.get()
    stored = f"{row.recovery}{row.sealed_secret}"
    assert secret not in stored and not any(code in stored for code in codes)
    again = client.get(PAGE).content.decode()
    assert secret not in again and codes[0] not in again
    assert "autofocus" in again
    assert client.post(PAGE, {"code": codes[0]}).status_code == 302
    assert not second_factor.is_on(ann)


def test_a_factor_begun_under_a_lost_key_is_begun_anew(ann: User, settings: Settings) -> None:
    held, lost = second_factor.begin("")
    settings.SECRET_KEY = "another key of the room"
    with pytest.raises(second_factor.WrongCode):
        second_factor.confirm(ann, code_of(lost), held)
    held, secret = second_factor.begin(held)
    assert secret != lost and second_factor.begin(held) == (held, secret)
    assert second_factor.confirm(ann, code_of(secret), held)


def test_a_session_of_before_learns_nothing_of_a_factor_that_is_turned_on_later(ann: User) -> None:
    intruder, owner = with_password(), with_password()
    known, own = shown_to(intruder), shown_to(owner)
    assert known != own and shown_to(owner) == own
    assert owner.post(PAGE, {"code": code_of(known)}).status_code == 400
    assert not second_factor.is_on(ann)
    assert owner.post(PAGE, {"code": code_of(own)}).status_code == 200
    assert second_factor.is_on(ann) and not is_in(intruder)
    later = with_password()
    assert later.post(CODE, {"code": code_of(known, 1)}).status_code == 400
    assert later.post(CODE, {"code": code_of(own, 1)}).status_code == 302


def test_a_factor_that_is_on_is_not_replaced_by_a_code_of_another_secret(ann: User) -> None:
    late = with_password()
    held, secret = second_factor.begin("")
    own, _codes = switched_on(ann)
    with pytest.raises(second_factor.WrongCode):
        second_factor.confirm(ann, code_of(secret), held)
    assert late.post(PAGE, {"code": code_of(secret)}).status_code == 400
    second_factor.spend(ann, code_of(own, 1))


def test_the_first_code_ends_all_other_sessions(ann: User) -> None:
    first, second = with_password(), with_password()
    secret = shown_to(first)
    assert first.post(PAGE, {"code": "000000x"}).status_code == 400
    assert is_in(second), "a wrong code ends nothing"
    assert first.post(PAGE, {"code": code_of(secret)}).status_code == 200
    assert is_in(first) and not is_in(second)


def test_a_log_in_asks_for_a_code_which_counts_once(ann: User) -> None:
    secret, _codes = switched_on(ann)
    client = with_password()
    assert not is_in(client) and client.get(CODE).status_code == 200
    used = code_of(secret)
    assert client.post(CODE, {"code": used}).status_code == 400, "used when switched on"
    later = code_of(secret, 1)
    answer = client.post(CODE, {"code": later})
    assert answer.headers["Location"] == "/wallet/" and is_in(client)
    other = with_password()
    assert other.post(CODE, {"code": later}).status_code == 400
    assert not is_in(other)


def test_recovery_codes_count_once_and_not_for_another_account(ann: User) -> None:
    _secret, codes = switched_on(ann)
    bob = User.objects.create_user("Bob", PASSWORD)
    switched_on(bob)
    stranger = Client()
    stranger.post("/accounts/login/", {"username": "Bob", "password": PASSWORD})
    assert stranger.post(CODE, {"code": codes[0]}).status_code == 400
    first, second = with_password(), with_password()
    assert first.post(CODE, {"code": codes[0].upper()}).status_code == 302
    assert second.post(CODE, {"code": codes[0]}).status_code == 400
    assert is_in(first) and not is_in(second) and not is_in(stranger)


def test_tries_of_codes_are_limited_for_the_right_code_too(ann: User) -> None:
    _secret, codes = switched_on(ann)
    client = with_password()
    for _number in range(limits.CODE_TRIES):
        client.post(CODE, {"code": "000000"})
    answer = client.post(CODE, {"code": codes[0]})
    assert "Too many codes" in answer.content.decode() and not is_in(client)
    assert len(SecondFactor.objects.get().recovery) == limits.RECOVERY_CODES


def test_a_code_without_a_password_or_long_after_it_opens_nothing(ann: User) -> None:
    secret, _codes = switched_on(ann)
    assert Client().post(CODE, {"code": code_of(secret, 1)}).headers["Location"].endswith("login/")
    late, changed = with_password(), with_password()
    session = late.session
    session["second_factor"] |= {"at": timezone.now().timestamp() - limits.CODE_OWED_S - 1}
    session.save()
    ann.set_password("quite another password")
    for client in (late, changed):
        if client is changed:
            ann.save()
        assert client.post(CODE, {"code": code_of(secret, 1)}).status_code == 302
        assert not is_in(client)


def test_the_admin_lets_no_account_with_a_factor_in_by_password(ann: User) -> None:
    assert is_in(with_password("/admin/login/"))
    switched_on(ann)
    assert not is_in(with_password("/admin/login/"))


def test_staff_set_a_factor_up_first_where_the_room_requires_it(
    ann: User, settings: Settings
) -> None:
    client = Client()
    client.force_login(ann)
    assert client.get("/admin/").status_code == 200
    settings.STAFF_SECOND_FACTOR = True
    assert client.get("/admin/").headers["Location"] == PAGE
    assert client.get("/wallet/").status_code == 200
    switched_on(ann)
    assert client.get("/admin/").status_code == 200


def test_staff_without_a_factor_gets_no_token_and_gives_no_money_of_the_room(
    ann: User, settings: Settings
) -> None:
    club = make_club(ann, ClubProfile(name="Rats"))
    client = Client()
    client.force_login(ann)
    settings.STAFF_SECOND_FACTOR = True
    wish = {"name": "mine", "scopes": ["manage:tournaments"], "days": 1}
    money = {"direction": "give", "amount": "10", "reason": "party", "token": "a" * 22}
    for page, given in (("/account/tokens/", wish), ("/clubs/rats/bank/fund/", money)):
        assert client.post(page, given).headers["Location"] == PAGE
    assert not AccessToken.objects.exists() and bank.held(club) == 0
    switched_on(ann)
    assert "room_" in client.post("/account/tokens/", wish).content.decode()
    client.post("/clubs/rats/bank/fund/", money)
    assert bank.held(club) == 10_00
