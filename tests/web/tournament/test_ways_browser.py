"""Navigation in a real browser: back, tabs, dialogs, double submits, a lost connection."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from accounts.users.signup import sign_up
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.cast import open_offer
from tests.web.browsing import wait_until
from tests.web.visiting import Visit, speak, tab_to, visit
from tournaments.models import Tournament

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

PASSWORD = "correct horse battery"

# Long enough for a released answer to arrive and to have its wrong effect.
SOON_MS = 700

_RENEW = """async (tournament) => {
  const { line } = await import("/static/js/shared/socket.js");
  const summary = { tournament, shown: "otherwise" };
  line().streams.get("lobby").handler.events([{ type: "tournament_summary", summary }]);
}"""


_STOP = """async () => {
  const { line } = await import("/static/js/shared/socket.js");
  const detail = { state: "stopped", bye: { message: "The room sleeps." } };
  line().dispatchEvent(new CustomEvent("line", { detail }));
}"""


class Held:
    """Requests to some addresses, held until the test releases them."""

    def __init__(self, page: Page, address: str, method: str = "GET") -> None:
        self.routes: list[Route] = []
        self.asked = 0
        self._page = page
        self._method = method
        page.route(address, self._hold)

    def wait_for(self, asked: int) -> None:
        """Wait until this many requests have been made."""
        wait_until(self._page, lambda: self.asked >= asked)

    def let_go(self) -> None:
        """Release the requests held so far."""
        routes, self.routes = self.routes, []
        for route in routes:
            route.continue_()
        self._page.wait_for_timeout(SOON_MS)

    def _hold(self, route: Route) -> None:
        if route.request.method != self._method:
            return route.continue_()
        self.asked += 1
        return self.routes.append(route)


@pytest.fixture
def anna() -> User:
    return sign_up("anna", PASSWORD)


def _tab(page: Page, words: str) -> None:
    page.locator(".tabs a", has_text=words).click(no_wait_after=True)


def _here(page: Page, words: str) -> None:
    expect(page.locator(".tabs a[aria-current]")).to_have_text(words)


def test_back_after_a_tab_leads_to_a_working_page(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Sunday")
    page = visit(anna, f"/tournaments/{offer.pk}/")
    _tab(page, "Players")
    _here(page, "Players")
    page.go_back()
    _here(page, "Overview")
    page.get_by_role("link", name="Register").click()
    expect(page.locator("dialog:modal")).to_contain_text("Sunday")
    page.keyboard.press("Escape")
    page.evaluate(_STOP)
    expect(page.locator("#line-banner")).to_contain_text("The room sleeps.")


def test_the_second_of_two_tabs_clicked_in_a_row_is_shown(visit: Visit, anna: User) -> None:
    offer = open_offer()
    page = visit(anna, f"/tournaments/{offer.pk}/")
    first, second = Held(page, "**/*tab=players"), Held(page, "**/*tab=levels")
    _tab(page, "Players")
    first.wait_for(1)
    _tab(page, "Levels")
    first.let_go()
    second.wait_for(1)
    second.let_go()
    _here(page, "Levels")
    assert page.url.endswith("?tab=levels")


def test_a_clicked_tab_keeps_the_focus(visit: Visit, anna: User) -> None:
    offer = open_offer()
    page = visit(anna, f"/tournaments/{offer.pk}/")
    tab_to(page, "Players")
    page.keyboard.press("Enter")
    _here(page, "Players")
    expect(page.locator(".tabs a[aria-current]")).to_be_focused()


@pytest.mark.rule("A-01")
def test_the_second_of_two_requested_dialogs_stays(visit: Visit, anna: User) -> None:
    slow, quick = open_offer(name="Dear"), open_offer(name="Cheap")
    page = visit(anna, "/")
    held = Held(page, f"**/tournaments/{slow.pk}/register/")
    page.locator(f"#tournament-{slow.pk} a.main").click()
    held.wait_for(1)
    page.locator(f"#tournament-{quick.pk} a.main").click()
    expect(page.locator("dialog[open]")).to_contain_text("Cheap")
    held.let_go()
    expect(page.locator("dialog[open]")).to_contain_text("Cheap")


@pytest.mark.parametrize("address", ["/", "/tournaments/{}/"])
def test_a_double_click_leaves_the_open_dialog_unchanged(
    visit: Visit, anna: User, address: str
) -> None:
    offer = open_offer(password="sesame")
    page = visit(anna, address.format(offer.pk))
    held = Held(page, "**/register/")
    for _ in range(2):
        page.locator("a.main", has_text="Register").click()
    held.wait_for(2)
    overtaken = held.routes.pop(0)
    held.let_go()
    password = page.locator("dialog").get_by_label("Password of this tournament")
    password.fill("sesame")
    held.routes.append(overtaken)
    held.let_go()
    expect(page.locator("dialog").get_by_label("Password of this tournament")).to_have_value(
        "sesame"
    )
    expect(page.locator("dialog")).to_have_count(1)


def test_cancel_returns_the_focus_to_an_updated_row(visit: Visit, anna: User) -> None:
    offer = open_offer(name="Before")
    page = visit(anna, "/")
    tab_to(page, "Register")
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    Tournament.objects.update(name="After")
    page.evaluate(_RENEW, offer.pk)
    expect(page.locator("#lobby tbody tr[data-name=After]")).to_be_visible()
    page.locator("dialog a", has_text="Cancel").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#lobby a.main")).to_be_focused()


@pytest.mark.parametrize("address", ["/accounts/signup/", "/accounts/login/"])
def test_an_account_form_is_sent_once(visit: Visit, anna: User, address: str) -> None:
    page = visit(anna, "/")
    page.context.clear_cookies()
    page.goto(f"{ORIGIN}{address}")
    held = Held(page, f"**{address}", "POST")
    page.locator("[name=name], [name=username]").fill("anna" if "login" in address else "berta")
    page.locator("[name=password]").fill(PASSWORD)
    box = page.locator("main button.main").bounding_box()
    assert box is not None
    for _ in range(2):
        page.mouse.click(box["x"] + 10, box["y"] + 10)
    held.wait_for(1)
    page.wait_for_timeout(SOON_MS)
    assert held.asked == 1
    held.let_go()
    expect(page.locator("#balance")).to_be_visible()


@pytest.mark.parametrize("fault", ["dead", "forbidden"])
def test_a_failed_request_of_the_user_is_reported(visit: Visit, anna: User, fault: str) -> None:
    open_offer()
    page = visit(anna, "/")
    _break(page, "**/register/", fault)
    said = "does not answer" if fault == "dead" else "did not accept this"
    for _ in range(2):
        page.locator("a.main", has_text="Register").click()
    expect(page.locator("#toasts [data-kind=error]")).to_contain_text(said)
    page.wait_for_timeout(SOON_MS)
    expect(page.locator("#toasts [data-kind=error]")).to_have_count(1)


@pytest.mark.parametrize("fault", ["dead", "forbidden"])
def test_a_failed_background_update_is_not_reported(visit: Visit, anna: User, fault: str) -> None:
    page = visit(anna, "/")
    _break(page, "**/balance/", fault)
    with page.expect_request("**/balance/"):
        page.evaluate("() => document.body.dispatchEvent(new Event('room:money'))")
    page.wait_for_timeout(SOON_MS)
    expect(page.locator("#toasts .toast")).to_have_count(0)


def _break(page: Page, address: str, fault: str) -> None:
    page.route(
        address,
        lambda route: route.abort() if fault == "dead" else route.fulfill(status=403, body="no"),
    )


def test_the_language_changes_on_the_tab_that_is_open(visit: Visit, anna: User) -> None:
    offer = open_offer()
    page = visit(anna, f"/tournaments/{offer.pk}/")
    _tab(page, "Players")
    _here(page, "Players")
    speak(page, "de")
    assert page.url.endswith("?tab=players")


def test_the_balance_is_requested_again_when_money_moves_during_its_request(
    visit: Visit, anna: User
) -> None:
    page = visit(anna, "/")
    held = Held(page, "**/balance/")
    for _ in range(2):
        page.evaluate("() => document.body.dispatchEvent(new Event('room:money'))")
    held.wait_for(1)
    held.let_go()
    held.wait_for(2)
    held.let_go()
    expect(page.locator("#balance")).to_have_text("10,000.00")
