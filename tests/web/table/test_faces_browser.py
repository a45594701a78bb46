"""Pictures, flags and marks of bots at the seats, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from playwright.sync_api import Route, expect

from accounts.faces import faces
from accounts.models import User
from tests.config.files.drawn_pictures import drawn
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
from tests.web import browsing
from tests.web.visiting import PHONE, Visit, visit

__all__ = ["game", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, settings: LazySettings) -> None:
    """An empty folder of files."""
    settings.MEDIA_ROOT = str(tmp_path / "files")


def test_a_picture_is_uploaded_on_a_phone_and_shown_at_the_table(
    visit: Visit, game: Game, tmp_path: Path
) -> None:
    me, other = game.user(1), game.user(2)
    (tmp_path / "me.png").write_bytes(drawn("PNG", (300, 200)))
    page = visit(other, "/account/picture/", PHONE)
    page.get_by_label("Picture").set_input_files(tmp_path / "me.png")
    page.get_by_role("button", name="Upload the picture").click()
    expect(page.get_by_role("img", name="Your picture")).to_be_visible()
    page.get_by_label("Flag").select_option(label="Sweden")
    page.get_by_role("button", name="Save the flag").click()
    expect(page.get_by_label("Flag")).to_have_value("SE")
    User.objects.filter(pk=game.user(3).pk).update(is_bot=True)
    asked: list[str] = []
    table = visit(me, "/")
    table.on("request", lambda request: asked.append(request.url))
    table.goto(f"{table.url}tables/{game.row.pk}/")
    picture = table.locator(".avatar[data-portrayed] > .portrait")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("naturalWidth", 128)
    expect(table.locator(".letters:visible")).to_have_count(2)
    expect(table.locator(".flag:visible")).to_have_text(["SE", "Bot"])
    named = table.get_by_role("group", name=f"{other.name}, seat 2")
    assert "Sweden" in (named.get_attribute("aria-label") or "")
    assert not [url for url in asked if "faces.json" in url], "the page has those of its players"


def test_a_picture_that_does_not_come_leaves_the_letters(visit: Visit, game: Game) -> None:
    faces.set_picture(game.user(2), drawn("PNG"))
    page = visit(game.user(1), "/")
    page.route("**/pictures/*", lambda route: route.abort())
    page.goto(f"{page.url}tables/{game.row.pk}/")
    expect(page.locator(".letters:visible")).to_have_count(3)
    expect(page.locator(".avatar[data-portrayed]")).to_have_count(0)


_FACES = """async () => {
  const { Faces } = await import("/static/js/table/faces.js");
  const seated = document.createElement("script");
  Object.assign(seated, { type: "application/json", id: "seated-faces" });
  seated.textContent = JSON.stringify({ users: [], faces: [] });
  document.body.append(seated);
  window.faces = new Map();
  const model = Object.assign(new EventTarget(), { state: { seats: [{ user: 14 }] } });
  new Faces({ model, faces });
}"""


def test_faces_without_an_answer_are_asked_for_again() -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.fulfill(json={"faces": [{"user": 14, "bot": True}]})

    with browsing.files() as address, browsing.headless() as browser:
        page = browser.new_page()
        page.goto(f"{address}/tests/web/demo/notices.html")
        page.route("**/players/faces.json*", answer)
        browsing.stand_still(page)
        page.evaluate(_FACES)

        def is_asked_again() -> bool:
            page.clock.run_for(5_000)
            return len(asked) == 2

        browsing.wait_until(page, is_asked_again)
        page.wait_for_function("() => faces.get(14)?.bot", polling=50)
        page.clock.run_for(60_000)
        assert len(asked) == 2
