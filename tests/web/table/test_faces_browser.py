"""Pictures, flags and marks of bots at the seats, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect

from accounts.faces import faces
from accounts.models import User
from tests.config.files.drawn_pictures import drawn
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.socket_table import Game, game
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
