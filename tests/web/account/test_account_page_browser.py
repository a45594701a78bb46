"""Account pages in a browser: where they open, and the times they tell."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from accounts.models import LoginSession, User
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, users
from tests.web.visiting import DESK, PHONE, Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

ZONE = "Asia/Kolkata"
_NOTHING_FOCUSED = "document.activeElement === document.body"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_account_page_opens_at_its_top(visit: Visit, size: tuple[int, int]) -> None:
    ann = User.objects.create_user("Ann", "a long password")
    page = visit(ann, "/account/", size)
    expect(page.get_by_role("link", name="Wallet")).to_be_in_viewport()
    assert page.evaluate(_NOTHING_FOCUSED)
    page.get_by_role("button", name="Change the password").click()
    expect(page.locator("#id_old_password_error")).to_be_visible()
    expect(page.locator("#id_old_password")).to_be_focused()


def test_the_deletion_page_says_what_is_deleted_before_it_asks(visit: Visit) -> None:
    page = visit(User.objects.create_user("Ann", "a long password"), "/account/delete/", PHONE)
    expect(page.get_by_role("heading", name="Deleted at once")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0 and page.evaluate(_NOTHING_FOCUSED)
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_label("Password")).to_be_focused()


def test_sessions_are_dated_in_the_zone_of_the_browser(visit: Visit) -> None:
    (ann,) = users("ann")
    page = visit(ann, "/account/")
    override = page.context.new_cdp_session(page)
    override.send("Emulation.setTimezoneOverride", {"timezoneId": ZONE})
    page.goto(f"{ORIGIN}/account/sessions/")
    began = LoginSession.objects.get(user=ann).began_at.astimezone(ZoneInfo(ZONE))
    for language in ("de", "en"):
        speak(page, language)
        expect(page.locator("time").first).to_contain_text(f"{began:%H:%M}")
        assert "UTC" not in page.locator("main").inner_text()
