"""A player at 200 % who has a keyboard alone: log-in, registration, and acts at a table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tests.tables.gateway.socket_site import site
from tests.tournaments.cast import open_offer
from tests.web.played import PlayedTournament
from tests.web.visiting import Visit, tab_to, visit
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

PASSWORD = "a long password"
AT_200_PERCENT = (640, 400)
"""A window of 1280x800 whose page is shown twice as large."""

_OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"


@pytest.mark.sample
def test_log_in_register_and_act_without_a_pointer(visit: Visit, room: Redis) -> None:
    ann = User.objects.create_user("Ann", PASSWORD)
    made = open_offer(name="Friday", buy_in=0, fee=0, players_max=2)
    page = visit(None, "/accounts/login/", AT_200_PERCENT)
    tab_to(page, "Name")
    page.keyboard.type("Ann")
    tab_to(page, "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(f"#tournament-{made.pk}")).to_be_visible()
    tab_to(page, "Register")
    assert page.evaluate(_OUTLINE) == "solid", "the focus is seen"
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    tab_to(page, "Register")
    page.keyboard.press("Enter")
    expect(page.locator(f"#tournament-{made.pk}")).to_contain_text("I'm in")

    [bot] = bots.create(1)
    registration.register(bot, Tournament.objects.get(pk=made.pk))
    operations.start(made.pk)
    page.wait_for_url(re.compile(r"/tables/\d+/"))
    played = PlayedTournament(room, made)
    assert played.until_turn(lambda asked: asked == ann.pk)
    call = page.locator(".action-panel .verb.call")
    expect(call).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= AT_200_PERCENT[0]
    for button in page.locator(".action-panel .verb").all():
        expect(button).to_be_in_viewport(ratio=1)
    tab_to(page, call.inner_text().split()[0])
    assert page.evaluate(_OUTLINE) == "solid", "the focus is seen"
    page.keyboard.press("Enter")
    played.take_act(ann)
    assert played.until_turn(lambda asked: asked == ann.pk)
    expect(call).to_be_enabled()
    page.keyboard.press("c")
    played.take_act(ann)
