"""Log-in by a provider in a browser: sign up, log in again, link and unlink."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.providers import discovery
from accounts.providers.models import LinkedLogin
from tests.accounts.providers.openid_provider import Provider, provider
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


@pytest.fixture
def local(settings: Settings) -> Iterator[Provider]:
    """A provider that the room offers."""
    discovery.forget()
    with provider() as held:
        settings.OPENID_NETWORKS = ["127.0.0.0/8"]
        settings.OPENID_PROVIDERS = (held.entry(name="Club-Konto"),)
        settings.PUBLIC_URL = ORIGIN
        yield held


def _fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def _goes(page: Page, button: str, person: str) -> None:
    page.get_by_role("button", name=button).click()
    page.get_by_role("link", name=f"I am {person}").click()


def test_a_newcomer_signs_up_by_a_provider_links_and_unlinks(local: Provider, visit: Visit) -> None:
    local.people["ann-1"] |= {"email": "ann@example.org", "email_verified": True}
    page = visit(None, "/accounts/signup/", PHONE)
    _fits(page)
    _goes(page, "Log in with Club-Konto", "ann-1")
    for language in ("de", "en"):
        speak(page, language)
        _fits(page)
    expect(page.get_by_label("Name")).to_have_value("Ann")
    page.get_by_label("Name").fill("Annika")
    page.get_by_role("button", name="Sign up and play").click()
    expect(page.locator(".who.name")).to_have_text("Annika")
    expect(page).to_have_url(f"{ORIGIN}/")

    page.goto(f"{ORIGIN}/account/")
    page.get_by_role("link", name="Linked log-ins").click()
    for language in ("de", "en"):
        speak(page, language)
        _fits(page)
    page.get_by_role("button", name="Unlink Club-Konto").click()
    expect(page.locator(".messages")).to_contain_text("This is the only way into your account")
    page.goto(f"{ORIGIN}/account/")
    page.get_by_label("New password:", exact=True).fill("a very long password")
    page.get_by_label("New password confirmation:").fill("a very long password")
    page.get_by_role("button", name="Set a password").click()
    expect(page.locator(".messages")).to_contain_text("Your password is changed.")
    page.get_by_role("main").get_by_role("button", name="Log out").click()

    page.goto(f"{ORIGIN}/accounts/login/?next=/account/providers/")
    _goes(page, "Log in with Club-Konto", "ann-1")
    expect(page).to_have_url(f"{ORIGIN}/account/providers/")
    page.get_by_role("button", name="Unlink Club-Konto").click()
    expect(page.locator(".messages")).to_contain_text("The log-in is unlinked.")
    assert not LinkedLogin.objects.exists()
    _goes(page, "Link Club-Konto", "ann-1")
    expect(page.locator(".messages")).to_contain_text("You can now log in with Club-Konto.")
    assert LinkedLogin.objects.get().user == User.objects.get(name="Annika")


def test_a_decline_is_said_and_the_password_still_works(local: Provider, visit: Visit) -> None:
    page = visit(None, "/accounts/login/", PHONE)
    page.get_by_role("button", name="Log in with Club-Konto").click()
    page.get_by_role("link", name="Decline").click()
    expect(page.get_by_role("alert")).to_contain_text("Club-Konto did not log you in.")
    for language in ("de", "en"):
        speak(page, language)
        _fits(page)
