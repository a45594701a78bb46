"""Log-ins by a provider that runs here: sign-up, log-in, and what proves nothing."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.mail import outgoing
from accounts.models import EmailAddress, LoginSession, Mail, User
from accounts.providers import exchange
from accounts.providers.models import LinkedLogin
from tests.accounts.browsers import browser
from tests.accounts.mail.addresses import confirmed
from tests.accounts.providers.openid_provider import OTHER_KEY, Provider
from tests.accounts.providers.provider_visits import (
    LOGIN,
    NAME,
    ann,
    answer_of,
    comes_back,
    goes,
    joined,
    local,
    rows,
    words,
)

__all__ = ["ann", "local"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_newcomer_is_mailed_nothing_of_a_new_device(local: Provider, settings: Any) -> None:
    settings.MAIL_URL = "file:///unused"
    local.people["ann-1"] |= {"email": "ann@example.org", "email_verified": True}
    client = browser()
    comes_back(client)
    client.post(NAME, {"name": "Ann"})
    assert outgoing.primary_address(User.objects.get().pk) == "ann@example.org"
    assert not Mail.objects.exists()
    assert comes_back(browser()).status_code == 302
    assert "new device" in Mail.objects.get().subject


def test_a_newcomer_chooses_a_name_and_comes_back_by_the_button(local: Provider) -> None:
    local.people["ann-1"] |= {"email": "Ann@Example.org", "email_verified": True}
    client = browser()
    answer = comes_back(client, onward="/clubs/")
    assert answer.headers["Location"] == NAME and not User.objects.exists()
    page = words(client.get(NAME))
    assert 'value="Ann"' in page and "Ann@Example.org is taken over" in page
    for wrong in ("bot-Ann", "a", "<b>"):
        refused = client.post(NAME, {"name": wrong})
        assert refused.status_code == 400 and "errorlist" in words(refused)
    User.objects.create_user("Bob")
    assert "This name is taken." in words(client.post(NAME, {"name": "BOB"}))
    assert rows() == (1, 0, 0)
    assert client.post(NAME, {"name": "Ann"}).headers["Location"] == "/clubs/"
    user = User.objects.get(name="Ann")
    assert not user.has_usable_password() and user.email == "Ann@example.org"
    assert EmailAddress.objects.get().address == "Ann@example.org"
    assert LinkedLogin.objects.get().subject == "ann-1"
    assert client.get("/wallet/").status_code == 200
    assert client.get(NAME).headers["Location"] == "/", "the step is used up"
    again = browser()
    assert comes_back(again, onward="https://evil.example/").headers["Location"] == "/"
    assert again.session["_auth_user_id"] == str(user.pk)
    assert LoginSession.objects.filter(user=user, is_new=True).count() == 1, "a new device"
    assert User.objects.filter(name="Ann").count() == 1
    assert "prompt=" not in goes(browser()), "a log-in asks no more than the provider does"


def test_state_nonce_and_verifier_are_new_each_time_and_the_secret_stays_here(
    local: Provider,
) -> None:
    first, second = goes(browser()), goes(browser())
    for name in ("state", "nonce", "code_challenge"):
        values = [httpx.URL(address).params[name] for address in (first, second)]
        assert len(values[0]) >= 43 and values[0] != values[1]
    assert "s3cret" not in first and httpx.URL(first).params["code_challenge_method"] == "S256"


BREACHES: tuple[tuple[str, object], ...] = (
    ("claims", {"exp": 1_700_000_000, "iat": 1_699_999_000}),
    ("claims", {"nonce": "of another log-in"}),
    ("claims", {"nonce": None}),
    ("claims", {"aud": "another-room"}),
    ("claims", {"aud": ["room", "another-room"]}),
    ("claims", {"azp": "another-room"}),
    ("claims", {"aud": "another-room", "azp": "room"}),
    ("claims", {"iss": "http://127.0.0.1:1"}),
    ("claims", {"sub": ""}),
    ("claims", {"sub": "x" * 256}),
    ("claims", {"sub": 7.5}),
    ("claims", {"exp": "tomorrow"}),
    ("claims", {"iat": None}),
    ("key", OTHER_KEY),
    ("algorithm", "HS256"),
    ("algorithm", "none"),
    ("failing", {"/token": 400}),
)


def test_a_token_that_proves_nothing_logs_nobody_in(local: Provider) -> None:
    local.people["ann-1"] |= {"email": "ann@example.org", "email_verified": True}
    joined(browser())
    before, used = rows(), LinkedLogin.objects.get().used_at
    for field, value in BREACHES:
        usual = getattr(local, field)
        setattr(local, field, value)
        client = browser()
        answer = comes_back(client)
        setattr(local, field, usual)
        assert answer.status_code == 400, (field, value)
        assert "The answer of Local is not valid. Nothing has changed" in words(answer)
        assert "_auth_user_id" not in client.session
        assert (rows(), LinkedLogin.objects.get().used_at) == (before, used)
    assert comes_back(browser()).headers["Location"] == "/"


def test_a_way_back_that_this_browser_did_not_begin_is_over(local: Provider) -> None:
    joined(browser())
    theirs = answer_of(goes(browser()))
    mine = browser()
    assert "begun in another browser" in words(mine.get(theirs))
    address = goes(mine)
    back = answer_of(address)
    forged = re.sub(r"state=[^&]+", "state=forged", back)
    assert mine.get(forged).status_code == 400
    assert mine.get(back).status_code == 400, "a step counts once, whatever came"
    back = answer_of(goes(mine))
    assert mine.get(back.replace("/with/local/", "/with/plain/")).status_code == 400
    assert mine.get(back).status_code == 400
    late = answer_of(goes(mine))
    session = mine.session
    session["provider_begun"] |= {"at": timezone.now().timestamp() - 601}
    session.save()
    assert mine.get(late).status_code == 400
    for strange in ("", "?code=x", "?state=", "?state=é&code=x", "?error=access_denied"):
        assert mine.get(f"/accounts/with/local/back/{strange}").status_code == 400
    assert "_auth_user_id" not in mine.session and LinkedLogin.objects.count() == 1
    assert mine.get("/accounts/with/nobody/back/").status_code == 404
    begun_by_a_link = mine.get("/accounts/with/local/")
    assert begun_by_a_link["Location"] == "/accounts/login/"
    assert "provider_begun" not in mine.session


def test_another_verifier_an_issuer_mixed_up_and_a_decline_log_nobody_in(local: Provider) -> None:
    client = browser()
    back = answer_of(goes(client))
    session = client.session
    session["provider_begun"]["begun"] |= {"verifier": "of somebody else"}
    session.save()
    assert "not valid" in words(client.get(back)), "PKCE"
    mixed = re.sub(r"iss=[^&]+", "iss=https%3A%2F%2Fevil.example", answer_of(goes(client)))
    assert "not valid" in words(client.get(mixed))
    declined = answer_of(goes(client), "")
    assert "Local did not log you in" in words(client.get(declined))
    assert rows() == (0, 0, 0)


@pytest.mark.parametrize(
    ("step", "breach"),
    [
        ("begin", {"failing": {"/.well-known/openid-configuration": 503}}),
        ("begin", {"silent_at": "/.well-known/openid-configuration"}),
        ("begin", {"document": {"issuer": "https://evil.example"}}),
        ("begin", {"document": {"authorization_endpoint": "javascript:alert(1)"}}),
        ("begin", {"document": {"jwks_uri": ""}}),
        ("back", {"failing": {"/token": 500}}),
        ("back", {"silent_at": "/token"}),
        ("back", {"failing": {"/keys": 404}}),
        ("begin", {"failing": {"/.well-known/openid-configuration": 200}, "broken": b"[" * 5_000}),
        ("back", {"failing": {"/keys": 200}, "broken": b"[" * 5_000}),
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_provider_that_is_down_is_said_after_a_bounded_time(
    local: Provider, monkeypatch: pytest.MonkeyPatch, step: str, breach: dict[str, Any]
) -> None:
    if "silent_at" in breach:
        monkeypatch.setattr(exchange, "TIMEOUT_S", 2.0)
    for name, value in breach.items():
        setattr(local, name, value)
    client = browser()
    answer = client.post("/accounts/with/local/") if step == "begin" else comes_back(client)
    if step == "begin":
        # The switch of the language leads back to the address of the page.
        assert client.get("/accounts/with/local/")["Location"] == "/accounts/login/"
    assert answer.status_code == 502
    assert "Local does not answer just now" in words(answer)
    assert rows() == (0, 0, 0)
    local.silent_at, local.failing, local.document = "", {}, {}
    monkeypatch.setattr(exchange, "TIMEOUT_S", 60.0)
    assert comes_back(browser()).headers["Location"] == NAME, "a later try works"


def test_providers_in_private_networks_need_the_operators_word(
    local: Provider, settings: LazySettings
) -> None:
    settings.OPENID_NETWORKS = []
    assert browser().post("/accounts/with/local/").status_code == 502
    assert local.paths == []


def test_an_address_of_an_account_here_joins_nothing(local: Provider, ann: User) -> None:
    confirmed(ann, "ann@example.org")
    local.people["ann-1"] |= {"email": "ANN@example.org", "email_verified": True}
    before = rows()
    client = browser()
    answer = comes_back(client)
    assert answer.status_code == 400 and "link Local under Account" in words(answer)
    assert client.get(NAME).headers["Location"] == LOGIN
    assert rows() == before
    # It may appear while a name is chosen.
    local.people["ann-1"]["email"] = "other@example.org"
    assert comes_back(client).headers["Location"] == NAME
    EmailAddress.objects.update(address="other@example.org")
    refused = client.post(NAME, {"name": "Ann"})
    assert refused.status_code == 400 and "already has the e-mail address" in words(refused)
    assert rows() == before and not User.objects.filter(name="Ann").exists()


@pytest.mark.parametrize("verified", [False, None, "yes", 1])
def test_an_address_that_is_not_verified_is_nobodys(
    local: Provider, ann: User, verified: object
) -> None:
    confirmed(ann, "ann@example.org")
    local.people["ann-1"] |= {"email": "ann@example.org", "email_verified": verified}
    client = browser()
    assert comes_back(client).headers["Location"] == NAME
    assert "No e-mail address is taken over" in words(client.get(NAME))
    client.post(NAME, {"name": "Ann"})
    assert EmailAddress.objects.get().user == ann and User.objects.get(name="Ann").email == ""


def test_a_provider_without_openid_tells_who_it_is_by_its_profile(local: Provider) -> None:
    local.people["ann-1"] = {}
    local.profile = {"id": 4711, "login": "octo-ann", "email": "a@example.org"}
    client = browser()
    assert comes_back(client, key="plain").headers["Location"] == NAME
    page = words(client.get(NAME))
    assert 'value="octo-ann"' in page and "No e-mail address is taken over" in page
    client.post(NAME, {"name": "Ann"})
    row = LinkedLogin.objects.get()
    assert (row.provider, row.subject) == ("plain", "4711")
    local.profile = {"id": None}
    assert comes_back(browser(), key="plain").status_code == 400


def test_a_profile_of_another_person_is_refused(local: Provider) -> None:
    local.profile = {"sub": "ben-1", "email": "ben@example.org", "email_verified": True}
    assert "not valid" in words(comes_back(browser()))
    assert rows() == (0, 0, 0)
