"""Passkeys: where they are offered, made-up answers, limits, and what staff has to show."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from fido2.cose import ES256
from fido2.server import Fido2Server
from fido2.webauthn import AttestedCredentialData, AuthenticatorData
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.deletion import deleting
from accounts.models import Mail, Passkey, User
from accounts.pages.passkeys import SHOWN
from accounts.pages.second_factor import BY_PASSKEY
from accounts.users.passkeys import PasskeyRefused, PasskeySite
from config import limits
from tests.accounts.mail.addresses import confirmed

pytestmark = pytest.mark.django_db

PAGE, LOGIN = "/account/passkeys/", "/accounts/login/passkey/"
HERE = {"host": "localhost"}
MADE_UP = [
    "",
    "x",
    "[]",
    "{}",
    "null",
    '{"rawId": 7}',
    '{"rawId": "é"}',
    json.dumps({"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {}}),
    json.dumps(
        {
            "id": "AAAA",
            "rawId": "AAAA",
            "type": "public-key",
            "response": {"clientDataJSON": "e30", "attestationObject": "oA", "signature": "AA"},
        }
    ),
    "[" * 15_000,
    "x" * (limits.PASSKEY_ANSWER_MAX + 1),
]


@pytest.fixture
def ann(room: Redis) -> User:
    return User.objects.create_user("Ann", "a long password")


def browser(user: User) -> Client:
    client = Client(headers=HERE)
    client.force_login(user)
    return client


def stored(user: User, number: int = 1) -> Passkey:
    return Passkey.objects.create(user=user, name="phone", credential=str(number), data=b"")


def removed(client: Client, row: Passkey) -> str:
    """Remove a passkey by its button and return the page that follows."""
    assert client.post(f"{PAGE}{row.pk}/remove/").status_code == 302
    return client.get("/account/").content.decode()


@pytest.mark.parametrize("answer", MADE_UP)
def test_made_up_answers_make_no_passkey_and_log_nobody_in(ann: User, answer: str) -> None:
    client, stranger = browser(ann), Client(headers=HERE)
    assert "passkey-options" in client.get(PAGE).content.decode()
    given = {"name": "phone", "credential": answer}
    assert client.post(PAGE, given).status_code == 400
    assert "passkey-options" in stranger.post(LOGIN).content.decode()
    answered = stranger.post(LOGIN, {"credential": answer})
    assert answered.status_code == 400 and "not accepted" in answered.content.decode()
    assert not Passkey.objects.exists()
    assert stranger.get("/account/").status_code == 302


def test_a_plain_address_and_one_without_a_name_say_why_none_are_offered(ann: User) -> None:
    for host in ("testserver", "127.0.0.1", "127.0.0.1:8000"):
        client = Client(headers={"host": host})
        client.force_login(ann)
        page = client.get(PAGE).content.decode()
        assert "need an address with https" in page and "passkey-options" not in page
        assert client.post(PAGE, {"name": "x", "credential": "{}"}).status_code == 400
        assert client.post(LOGIN).headers["Location"] == "/accounts/login/"
        assert client.get(LOGIN).headers["Location"] == "/accounts/login/"
    secure = Client(headers={"host": "testserver"})
    secure.force_login(ann)
    assert "passkey-options" in secure.get(PAGE, secure=True).content.decode()


def test_log_ins_of_one_address_are_bounded_far_above_an_evening_of_a_club(
    room: Redis,
) -> None:
    assert limits.PASSKEY_SHOWN_ADDRESS >= 2 * limits.LOGINS_PER_MINUTE_PER_ADDRESS
    accepted = 0
    while SHOWN.take("203.0.113.9") == 0.0:
        accepted += 1
    assert accepted >= limits.PASSKEY_SHOWN_ADDRESS
    refused = Client(headers=HERE, REMOTE_ADDR="203.0.113.9")
    assert any(refused.post(LOGIN).status_code == 302 for _number in range(100))
    assert Client(headers=HERE, REMOTE_ADDR="198.51.100.9").post(LOGIN).status_code == 200


def test_a_new_passkey_is_told_to_the_primary_address(
    ann: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_URL = "file:///unused"
    confirmed(ann, "ann@example.com")
    key = AttestedCredentialData.create(bytes(16), b"id", ES256({1: 2, 3: -7, -1: 1}))
    made = AuthenticatorData.create(bytes(32), AuthenticatorData.FLAG.AT, 0, key)
    monkeypatch.setattr(Fido2Server, "register_complete", lambda *_given: made)
    site = PasskeySite("localhost", "http://localhost")
    assert site.make(ann, "phone", {}, "{}") == Passkey.objects.get()
    mail = Mail.objects.get()
    assert (mail.address, mail.subject) == ("ann@example.com", "A passkey was added")
    assert "Ann can now log in with a new passkey." in mail.body
    with pytest.raises(PasskeyRefused):
        site.make(ann, "again", {}, "{}")
    assert Mail.objects.count() == 1


def test_own_passkeys_alone_are_listed_and_removed(ann: User) -> None:
    mine, foreign = stored(ann), stored(User.objects.create_user("Bob"), 2)
    client = browser(ann)
    assert client.post(f"{PAGE}{foreign.pk}/remove/").status_code == 404
    assert client.get(f"{PAGE}{mine.pk}/remove/").status_code == 405
    assert client.post(f"{PAGE}{mine.pk}/remove/").status_code == 302
    assert [row.pk for row in Passkey.objects.all()] == [foreign.pk]
    assert Client(headers=HERE).get(PAGE).status_code == 302


def test_the_last_way_into_an_account_is_not_removed(room: Redis) -> None:
    zoe = User.objects.create_user("Zoe")  # came by a provider and unlinked it since
    first, second = stored(zoe), stored(zoe, 2)
    client = browser(zoe)
    assert "is removed" in removed(client, first)
    assert "the only way into your account" in removed(client, second)
    assert Passkey.objects.get() == second
    zoe.set_password("a long password")
    zoe.save()
    assert "is removed" in removed(browser(zoe), second)
    assert not Passkey.objects.exists()


def test_an_account_with_passkeys_alone_confirms_a_step_by_one(room: Redis) -> None:
    zoe = User.objects.create_user("Zoe")
    client, asked = browser(zoe), f"/account/confirm/?next={PAGE}"
    assert "get a link for a password first" in client.get(asked).content.decode()
    stored(zoe)
    page = client.get(asked).content.decode()
    assert f'action="{LOGIN}"' in page and f'name="next" value="{PAGE}"' in page
    assert "get a link for a password first" not in page
    zoe.set_password("a long password")
    zoe.save()
    assert f'action="{LOGIN}"' not in browser(zoe).get(asked).content.decode()


def test_a_deleted_account_has_no_passkey(ann: User) -> None:
    stored(ann)
    deleting.delete(ann)
    assert not Passkey.objects.exists()


def test_staff_with_a_passkey_and_a_password_alone_changes_no_second_factor(
    room: Redis, settings: Settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    olga = User.objects.create_superuser("Olga", "a long password")
    client = browser(olga)
    assert client.get("/admin/").headers["Location"] == "/account/code/"
    row = stored(olga)
    assert client.get("/admin/").headers["Location"] == PAGE
    page = client.get(PAGE).content.decode()
    assert "Show one of your passkeys first" in page and "passkey-options" not in page
    assert client.post(PAGE, {"name": "x", "credential": "{}"}).status_code == 400
    assert client.post(f"{PAGE}{row.pk}/remove/").status_code == 404
    assert client.get("/account/code/").headers["Location"] == PAGE
    assert Passkey.objects.count() == 1
    session = client.session
    session[BY_PASSKEY] = True
    session.save()
    assert client.get("/admin/").status_code == 200


def test_the_answer_of_the_browser_has_a_field_without_a_label(ann: User) -> None:
    page = browser(ann).get(PAGE).content.decode()
    assert '<input type="hidden" name="credential"' in page and "Credential:" not in page
