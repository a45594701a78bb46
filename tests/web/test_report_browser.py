"""A report in a browser: by keyboard, on phones, in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tables.conduct.models import PlayerReport
from tables.models import Seat, Table
from tests.tables.gateway.socket_site import site
from tests.tournaments.cast import started
from tests.web.visiting import Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

_TOO_WIDE = """
() => [...document.querySelectorAll("main *")]
  .some((part) => part.getBoundingClientRect().right > document.documentElement.clientWidth)
"""


def test_a_player_is_reported_by_keyboard(visit: Visit) -> None:
    made = started(4)
    table = Table.objects.get(game=made.pk)
    reporter, accused = (one.user for one in Seat.objects.filter(table=table).order_by("seat")[:2])
    page = visit(reporter, f"/tables/{table.pk}/", (390, 844))
    page.locator(f".seat-open[aria-label*='{accused.name}']").focus()
    page.keyboard.press("Enter")
    with page.expect_popup() as opened:
        page.locator("dialog.seat-menu a").press("Enter")
    page = opened.value
    expect(page.locator("body")).to_have_attribute("data-stays", str(table.pk))
    expect(page.get_by_role("radio", name=accused.name, exact=True)).to_be_checked()
    for language in ("de", "en"):
        speak(page, language)
        for width, height in ((390, 844), (320, 640), (844, 390), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(_TOO_WIDE), f"{width} px"
    groups = page.get_by_role("group")
    expect(groups).to_have_count(2)
    for box in page.locator(".choices label").all():
        size = box.bounding_box()
        assert size is not None and size["height"] >= 40, "large enough for a thumb"
    page.get_by_role("radio", name=accused.name, exact=True).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("always <b>together</b>")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("main [role=status]")).to_be_visible()
    row = PlayerReport.objects.get()
    assert (row.by, row.accused, row.reason) == (reporter, accused, "collusion")
    assert row.words == "always <b>together</b>"
