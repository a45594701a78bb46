"""Pages of ring games ask anew for what they show: at a steady pace, and the focus stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from redis import Redis

from tables.ring.sessions import sit_down
from tests.tables.gateway.socket_site import site
from tests.tables.ring.room import cast
from tests.web.browsing import stand_still, wait_until
from tests.web.visiting import Visit, tab_to, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

EVERY_MS = 4_000
"""Mean pause between two requests of a page."""

NOTICES = 10

# A notice of a hand in a rapid pool, which every page of its player hears.
_NOTICE = """() => document.body.dispatchEvent(
  new CustomEvent("room:mine", { detail: { type: "rapid_dealt_in" } }))"""


def test_notices_do_not_make_a_page_ask_more_often(visit: Visit) -> None:
    page = visit(cast.player("Anna"), "/ring/")
    stand_still(page)
    for _ in range(NOTICES):
        with page.expect_response("**/ring/"):
            page.evaluate(_NOTICE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(5 * EVERY_MS)
    wait_until(page, lambda: len(asked) >= 4)
    page.wait_for_timeout(300)
    assert len(asked) <= 7, "one request after the other, whatever was heard"


@pytest.mark.parametrize("at_table", [False, True])
def test_the_button_of_a_waiting_list_keeps_the_focus(visit: Visit, at_table: bool) -> None:
    ring = cast.game(seats_max=2)
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    address = f"/tables/{cast.table_of(ring).pk}/" if at_table else "/ring/"
    page = visit(cast.player("Anna"), address)
    tab_to(page, "Wait for a seat")
    _renewed(page, "#ring-panel" if at_table else "#ring-part")
    expect(page.get_by_role("button", name="Wait for a seat")).to_be_focused()


def _renewed(page: Page, part: str) -> None:
    """Let a part of the page be replaced by a newer one."""
    page.locator(f"{part} > *").first.evaluate("(node) => { node.dataset.old = '1'; }")
    page.evaluate(_NOTICE)
    expect(page.locator(f"{part} [data-old]")).to_have_count(0)


def test_the_focus_returns_to_the_button_of_an_accepted_dialog(visit: Visit, room: Redis) -> None:
    ring = cast.game()
    table, anna = cast.table_of(ring), cast.player("Anna")
    for user in (anna, cast.player()):
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    cast.begin(room, table)
    page = visit(anna, f"/tables/{table.pk}/")
    opener = page.get_by_role("link", name="Top up")
    opener.focus()
    page.keyboard.press("Enter")
    page.locator("#amount").fill("50")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog-holder dialog")).to_have_count(0)
    expect(opener).to_be_focused()
