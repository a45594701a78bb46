"""A player deletes the account in a browser: what is said, refused, erased and cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from accounts.models import LoginSession, User
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, Site
from tests.tournaments.cast import open_offer
from tests.web.visiting import PHONE, Visit, speak, visit
from tournaments.entries import registration

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

PASSWORD = "a long password"


def test_a_player_gives_an_entry_up_and_deletes_the_account(site: Site, visit: Visit) -> None:
    made = open_offer(name="Friday", buy_in=0, fee=0)
    ann = User.objects.create_user("Ann", PASSWORD)
    registration.register(ann, made)
    elsewhere = site.client(ann)
    page = visit(ann, "/account/", PHONE)
    page.get_by_role("link", name="Delete my account").click()
    expect(page.locator("#obstacles")).to_have_text(
        "You are in Friday: take your entry back, or wait for the end."
    )
    expect(page.get_by_label("Password")).to_have_count(0)
    registration.unregister(ann, made)
    page.reload()
    for language in ("de", "en"):
        speak(page, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(page.locator("#deletion")).to_contain_text("Kept under the anonymous name")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_role("alert")).to_have_text("This is not your password.")
    assert User.objects.get(pk=ann.pk).name == "Ann"
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.locator(".messages")).to_contain_text(f"It is now deleted-{ann.pk}.")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    rest, _code = elsewhere.cut_off()
    assert (rest[-1]["type"], rest[-1]["code"]) == ("bye", "session_expired")
    assert not LoginSession.objects.exists()
    page.goto(f"{ORIGIN}/accounts/signup/")
    page.get_by_label("Name").fill("Ann")
    page.get_by_label("Password").fill("quite another word")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("alert")).to_have_text("This name is taken.")
