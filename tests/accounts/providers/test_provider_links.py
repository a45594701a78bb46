"""Links of log-ins to accounts: made, confirmed by, removed; the rules that hold for them."""

from __future__ import annotations

import httpx
import pyotp
import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.deletion import deleting
from accounts.logins.minting import CONFIRMED_AT
from accounts.models import Mail, User
from accounts.providers.models import LinkedLogin
from accounts.users import second_factor
from accounts.users.account_export import zipped
from tests.accounts.browsers import browser
from tests.accounts.mail.addresses import confirmed
from tests.accounts.providers.openid_provider import Provider
from tests.accounts.providers.provider_visits import (
    LINKED,
    LOGIN,
    NAME,
    PASSWORD,
    ann,
    answer_of,
    comes_back,
    goes,
    joined,
    local,
    words,
)

__all__ = ["ann", "local"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_link_is_made_and_removed_after_the_password(
    local: Provider, ann: User, settings: LazySettings
) -> None:
    confirmed(ann, "a@example.org")
    client = browser(ann)
    session = client.session
    del session[CONFIRMED_AT]
    session.save()
    for answer in (
        client.get(LINKED),
        client.post("/accounts/with/local/", {"step": "link"}),
        client.post(f"{LINKED}1/unlink/"),
    ):
        assert answer.headers["Location"] == f"/account/confirm/?next={LINKED.replace('/', '%2F')}"
    assert local.paths == []
    client.post("/account/confirm/", {"password": PASSWORD, "next": LINKED})
    assert "Link Local" in words(client.get(LINKED))
    assert comes_back(client, step="link").headers["Location"] == LINKED
    row = LinkedLogin.objects.get()
    assert (row.user, row.subject, row.provider) == (ann, "ann-1", "local")
    told = Mail.objects.filter(body__contains="Annie can now log in with Local")
    assert told.count() == 1
    assert comes_back(client, step="link").headers["Location"] == LINKED, (
        "once more changes nothing"
    )
    stranger = browser(User.objects.create_user("Bob"))
    assert "linked to another account here" in words(comes_back(stranger, step="link"))
    local.people["ann-2"] = {}
    assert "unlink that first" in words(comes_back(client, "ann-2", step="link"))
    assert stranger.post(f"{LINKED}{row.pk}/unlink/").status_code == 404
    assert LinkedLogin.objects.get() == row and told.count() == 1
    assert comes_back(browser()).headers["Location"] == "/"
    client.post(f"{LINKED}{row.pk}/unlink/")
    assert not LinkedLogin.objects.exists()
    assert comes_back(browser()).headers["Location"] == NAME


def test_the_only_way_in_stays_until_there_is_a_password(local: Provider) -> None:
    client = browser()
    user = joined(client)
    row = LinkedLogin.objects.get()
    client.post(f"{LINKED}{row.pk}/unlink/")
    assert "This is the only way into your account" in words(client.get(LINKED))
    assert LinkedLogin.objects.exists()
    assert "old_password" not in words(client.get("/account/"))
    given = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post("/account/", given).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert "old_password" in words(client.get("/account/")), "from now on the old one is asked for"
    client.post(f"{LINKED}{row.pk}/unlink/")
    assert not LinkedLogin.objects.exists()


def test_a_step_is_confirmed_by_a_fresh_log_in_of_the_own_person(
    local: Provider, settings: LazySettings
) -> None:
    client = browser()
    user = joined(client)
    local.people["ben-1"] = {}
    joined(browser(), "Ben", subject="ben-1")

    def forget() -> None:
        session = client.session
        session.pop(CONFIRMED_AT, None)
        session.save()

    forget()
    given = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post("/account/", given).headers["Location"].startswith("/account/confirm/")
    page = words(client.get(f"/account/confirm/?next={LINKED}"))
    assert "Log in with Local" in page and 'type="password"' not in page
    how = {"step": "confirm", "onward": LINKED}
    address = goes(client, **how)
    asked = httpx.URL(address).params
    assert (asked["prompt"], asked["max_age"]) == ("login", "0")
    assert "is not linked to your account" in words(client.get(answer_of(address, "ben-1")))
    local.claims = {"auth_time": int(timezone.now().timestamp()) - 3_600}
    assert "did not ask you to log in again" in words(comes_back(client, **how))
    assert client.get(LINKED).status_code == 302
    local.claims = {}
    assert comes_back(client, **how).headers["Location"] == LINKED
    assert client.get(LINKED).status_code == 200
    # A provider that confirms nothing: neither the step nor the log-in counts.
    settings.OPENID_PROVIDERS = (local.entry(confirms=False),)
    forget()
    assert client.post("/accounts/with/local/", {"step": "confirm"}).status_code == 404
    fresh = browser()
    assert comes_back(fresh).headers["Location"] == "/"
    assert fresh.get(LINKED).status_code == 302
    user.refresh_from_db()
    assert not user.has_usable_password()


@pytest.mark.parametrize("confirms", [True, False])
def test_a_code_makes_no_password_of_a_log_in_that_confirms_nothing(
    local: Provider, settings: LazySettings, confirms: bool
) -> None:
    user = joined(browser())
    held, secret = second_factor.begin("")
    code, *_others = second_factor.confirm(user, pyotp.TOTP(secret).now(), held)
    settings.OPENID_PROVIDERS = (local.entry(confirms=confirms),)
    client = browser()
    assert comes_back(client).headers["Location"] == "/accounts/login/code/"
    assert client.post("/accounts/login/code/", {"code": code}).status_code == 302
    assert client.get(LINKED).status_code == (200 if confirms else 302)


def test_a_second_factor_a_ban_and_the_rule_for_staff_hold(
    local: Provider, settings: LazySettings
) -> None:
    user = joined(browser())
    settings.STAFF_SECOND_FACTOR = True
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    staff = browser()
    comes_back(staff)
    assert staff.get("/admin/").headers["Location"] == "/account/code/"
    held, secret = second_factor.begin("")
    second_factor.confirm(user, pyotp.TOTP(secret).now(), held)
    client = browser()
    assert comes_back(client, onward="/admin/").headers["Location"] == "/accounts/login/code/"
    assert "_auth_user_id" not in client.session
    User.objects.filter(pk=user.pk).update(is_active=False)
    banned = comes_back(browser())
    assert banned.status_code == 400 and "cannot log in" in words(banned)
    assert client.get("/accounts/login/code/").headers["Location"] == LOGIN


def test_an_account_without_a_password_is_exported_and_deleted(local: Provider) -> None:
    client = browser()
    user = joined(client)
    assert b"linked_logins.csv" in zipped(user)
    session = client.session
    session.pop(CONFIRMED_AT)
    session.save()
    assert client.post("/account/delete/").headers["Location"].startswith("/account/confirm/")
    assert comes_back(client, step="confirm", onward="/account/delete/").status_code == 302
    assert 'type="password"' not in words(client.get("/account/delete/"))
    assert client.post("/account/delete/").headers["Location"] == "/"
    assert not LinkedLogin.objects.exists()
    user.refresh_from_db()
    assert user.deleted_at is not None
    assert comes_back(browser()).headers["Location"] == NAME, "who comes again is new"
    second = joined(browser(), "Anna")
    deleting.delete(second)
    assert not LinkedLogin.objects.exists()


def test_buttons_are_shown_where_providers_are_configured(
    local: Provider, settings: LazySettings, ann: User
) -> None:
    client = browser(ann)
    for page in (LOGIN, "/accounts/signup/"):
        shown = words(browser().get(page))
        assert "Log in with Local" in shown and "Log in with Plain" in shown
    german = browser().get(LOGIN, headers={"Accept-Language": "de"})
    assert "Mit Local einloggen" in words(german)
    assert LINKED in words(client.get("/account/"))
    settings.OPENID_PROVIDERS = ()
    for page in (LOGIN, "/accounts/signup/"):
        assert "Local" not in words(browser().get(page))
    assert LINKED not in words(client.get("/account/"))
    assert browser().post("/accounts/with/local/").status_code == 404
