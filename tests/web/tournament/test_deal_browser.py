"""The deal panel while the field changes and votes come in, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tables.models import Seat
from tests.tables.gateway.socket_site import site
from tests.tournaments.running.final_table import FinalTable
from tests.web.scenes import apart
from tests.web.visiting import Visit, tab_to, visit
from tournaments.models import Tournament
from tournaments.running import deals

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

_HAND = """() => {
  const { model } = document.querySelector("poker-table");
  const detail = { event: { type: "hand_began", hand: 1 }, before: model.state };
  model.dispatchEvent(new CustomEvent("happened", { detail }));
}"""

# Message of the page's connection: events of one stream.
_HEAR = """async ([stream, events]) => {
  const { line } = await import("/static/js/shared/socket.js");
  line().streams.get(stream).handler.events(events);
}"""

_RENEW = "() => document.body.dispatchEvent(new Event('room:deal'))"

# Elements that count down within a live region.
_READ_OUT = """document.querySelector(
  ":is([aria-live], [role=status], [role=alert]) [data-countdown]") !== null"""

_SNAPSHOT = """async (stream) => {
  const { line } = await import("/static/js/shared/socket.js");
  const summary = { left: 3, entrants: 3, starting_stack: 1500, state: "running", bounty: 0 };
  const overview = { summary, break_until_ms: null, clock_runs: true };
  line().streams.get(stream).handler.snapshot({ overview, heads: {} });
}"""


@pytest.fixture
def final(site: object) -> FinalTable:
    return FinalTable(3)


def _at_table(visit: Visit, final: FinalTable, number: int) -> Page:
    user = final.users[number]
    page = visit(user, f"/tables/{Seat.objects.get(user=user).table_id}/")
    expect(page.locator("#deal-panel summary")).to_be_visible()
    return page


def _renewed(page: Page, how: str, *given: str) -> None:
    """Request the panel again and wait for it."""
    page.evaluate("() => (document.getElementById('deal').dataset.before = true)")
    page.evaluate(how, *given)
    expect(page.locator("#deal[data-before]")).to_have_count(0)
    expect(page.locator("#deal")).to_have_count(1)


@pytest.mark.rule("Y-01")
def test_a_vote_is_announced_and_the_panel_keeps_the_focus(visit: Visit, final: FinalTable) -> None:
    final.opened()
    page = _at_table(visit, final, 1)
    tab_to(page, "Yes, agree")
    page.keyboard.press("Enter")
    expect(page.locator("#deal-yes")).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text("agrees to the deal: 2 of 3 votes")
    expect(page.locator("#deal-heading")).to_be_focused()


@pytest.mark.rule("Y-03")
def test_the_clock_of_a_vote_is_not_read_out(visit: Visit, final: FinalTable) -> None:
    final.opened()
    page = _at_table(visit, final, 1)
    expect(page.locator("#deal-panel [data-countdown]")).to_be_visible()
    assert not page.evaluate(_READ_OUT)


def test_a_collapsed_vote_stays_collapsed_until_the_next(visit: Visit, final: FinalTable) -> None:
    deal = final.opened()
    page = _at_table(visit, final, 2)
    expect(page.locator("#deal[open]")).to_have_count(1)
    page.locator("#deal-heading").click()
    expect(page.locator("#deal[open]")).to_have_count(0)
    _renewed(page, _RENEW)
    expect(page.locator("#deal[open]")).to_have_count(0)
    deals.vote(final.users[1], deal.tournament_id, deal.pk, yes=False)
    expect(page.locator("#deal-heading")).to_have_text("Deal")
    deals.propose(final.users[1], final.tournament.pk, "chips")
    while final.arena.step(final.table) != "deal":
        pass
    expect(page.locator("#deal[open]")).to_have_count(1)


@pytest.mark.rule("Y-02")
def test_the_proposed_shares_follow_the_field(visit: Visit, final: FinalTable) -> None:
    page = _at_table(visit, final, 0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(_HAND)
    page.wait_for_timeout(500)
    assert not [url for url in asked if url.endswith("/deal/")], "the window is hidden"
    page.locator("#deal-heading").click()
    expect(page.locator("#deal[open]")).to_have_count(1)
    _renewed(page, _HAND)
    expect(page.locator("#deal[open]")).to_have_count(1)
    _renewed(page, _SNAPSHOT, final.tournament.member)


@pytest.mark.rule("Y-01")
@pytest.mark.parametrize("last", ["pool_fixed", "table_closed"])
def test_the_panel_appears_when_the_last_condition_of_a_deal_is_met(
    visit: Visit, final: FinalTable, last: str
) -> None:
    """Prizes become certain with the end of late registration; until then a deal has nothing to
    share.
    """
    Tournament.objects.filter(pk=final.tournament.pk).update(deals_allowed=False)
    user = final.users[0]
    page = visit(user, f"/tables/{Seat.objects.get(user=user).table_id}/")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#deal")).to_have_count(0)
    Tournament.objects.filter(pk=final.tournament.pk).update(deals_allowed=True)
    event = {"type": last, "entrants": 3, "prizes": [3000], "table": 0, "number": 9}
    page.evaluate(_HEAR, [final.tournament.member, [event]])
    expect(page.locator("#deal-heading")).to_have_text("Deal")


def test_notices_cover_no_button_of_an_open_vote(visit: Visit, final: FinalTable) -> None:
    final.opened()
    page = _at_table(visit, final, 1)
    expect(page.locator("#deal[open]")).to_have_count(1)
    page.evaluate(
        """async () => {
          const { toast } = await import("/static/js/shared/toasts.js");
          for (const words of "1234") toast({ title: "News", words: words.repeat(90), stays: 0 });
        }"""
    )
    expect(page.locator(".toast", has_text="News").first).to_be_visible()
    for button in page.locator("#deal-panel button").all():
        box = button.bounding_box()
        for notice in page.locator(".toast").all():
            assert apart(box, notice.bounding_box())
    page.locator("#deal-yes").click()
    expect(page.locator("#deal-yes")).to_have_count(0)
