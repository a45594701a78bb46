"""Table of a tournament that is cancelled while its hand is in play, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from redis import Redis

from tables.models import Seat
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables.gateway.socket_site import site
from tests.tournaments import course
from tests.web.visiting import Visit, visit
from tournaments.running import operations

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def test_a_table_of_a_cancelled_tournament_leads_to_the_tournament(
    visit: Visit, site: object, room: Redis
) -> None:
    tournament = course.offer(4, 3)
    users = course.fill(tournament)
    own = Seat.objects.get(user=users[0]).table_id
    for _ in range(100):
        state = fenced.peek(room, own)
        if state is not None and state.phase == "hand":
            break
        advance.advance(room, own)
        settle.settle(room, own)
    page = visit(users[0], f"/tables/{own}/")
    expect(page.locator(".seat[data-me]")).to_be_visible()
    operations.cancel(tournament.pk, reason="Flood")
    expect(page.locator(".notice")).to_contain_text("The tournament is cancelled")
    ended = "The table was closed before the end of this hand"
    expect(page.locator(".log .lines")).to_contain_text(ended)
    expect(page.locator("#toasts")).to_contain_text("Tournament cancelled")
    expect(page.locator("#toasts")).to_contain_text("Flood")
    page.locator(".notice button").click()
    page.wait_for_url(f"**/tournaments/{tournament.pk}/")
    expect(page.locator(".messages")).to_have_count(0)
