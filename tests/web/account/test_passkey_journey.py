"""Passkeys in a browser with a virtual authenticator: added, used by staff, cut off, removed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from accounts.models import Passkey, User
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.web.account.virtual_authenticator import authenticator
from tests.web.visiting import PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def test_an_operator_adds_a_passkey_and_logs_in_with_it(visit: Visit, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True
    olga = User.objects.create_superuser("Olga", "a long password")
    page = visit(olga, "/account/", PHONE)
    authenticator(page)
    page.get_by_role("link", name="Passkeys").click()
    for language in ("de", "en"):
        speak(page, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".messages")).to_contain_text("The passkey is added")
    expect(page.get_by_text("My phone")).to_be_visible()
    row = Passkey.objects.get()
    assert row.user == olga and row.used_at is None
    page.get_by_label("Name").fill("Again")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This device has a passkey of your account already."
    )
    page.goto(f"{ORIGIN}/account/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    page.goto(f"{ORIGIN}/accounts/login/?next=/admin/")
    page.get_by_role("button", name="Log in with a passkey").click()
    with page.expect_request(lambda asked: asked.method == "POST") as sent:
        page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(f"{ORIGIN}/admin/")
    assert Passkey.objects.get().used_at is not None

    posted = sent.value.post_data_json
    assert posted is not None
    answer = posted["credential"]
    assert json.loads(answer)["type"] == "public-key"
    stranger = visit(None, "/accounts/login/")
    stranger.get_by_role("button", name="Log in with a passkey").click()
    expect(stranger.get_by_role("button", name="Use a passkey")).to_be_visible()
    with stranger.expect_navigation():
        stranger.evaluate(
            "answer => { const form = document.querySelector('[data-passkey]');"
            " form.elements.namedItem('credential').value = answer; form.submit(); }",
            answer,
        )
    expect(stranger.locator(".messages")).to_contain_text("not accepted")

    page.goto(f"{ORIGIN}/account/passkeys/")
    page.get_by_role("button", name="Remove the passkey: My phone").click()
    expect(page.locator(".messages")).to_contain_text("The passkey is removed.")
    assert not Passkey.objects.exists()
