"""Several tables and windows of one player in a real browser: the strip, turns, taking over."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from redis import Redis

from config import limits
from tables.models import Hand
from tests.tables.gateway.socket_site import site
from tests.web.two_tables import TwoTables
from tests.web.visiting import NETWORK_GONE, Visit, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

ELSEWHERE = "You play this table in another window."
NOWHERE = "You play this table in no window now."


@pytest.fixture
def two(site: object, room: Redis) -> TwoTables:
    return TwoTables(room)


def _strip(page: Page, name: str = "") -> Locator:
    return page.locator("#my-tables a", has_text=name)


def _another(page: Page, address: str) -> Page:
    """Open one more window of the same browser."""
    beside = page.context.new_page()
    beside.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + address)
    return beside


@pytest.mark.parametrize("address", ["/", "/wallet/", "/tournaments/{}/", "/tables/{}/hands/"])
def test_a_new_window_shows_its_table(visit: Visit, two: TwoTables, address: str) -> None:
    number = two.table(0) if "tables" in address else two.games[0].pk
    wanted = address.format(number)
    page = visit(two.anna, wanted)
    expect(page.locator("#my-tables a")).to_have_count(2)
    page.wait_for_timeout(1_000)
    assert page.url.endswith(wanted)


def test_the_strip_shows_turns_and_space_opens_the_table_with_the_own_turn(
    visit: Visit, two: TwoTables
) -> None:
    two.ask_another(0)
    two.ask_another(1)
    page = visit(two.anna, "/")
    expect(_strip(page, "Friday")).to_contain_text("table 1")
    expect(_strip(page, "Friday").locator(".clock")).to_contain_text(":")
    expect(page.locator("#my-tables [data-turn]")).to_have_count(0)
    page.keyboard.press(" ")
    two.ask(1)
    expect(page.locator("#my-tables [data-turn]")).to_contain_text("Monday, table 1 Your turn")
    expect(page.locator(".toast[data-kind=turn]")).to_contain_text("Your turnMonday, table 1")
    expect(page).to_have_title("● Your turn: Monday, table 1 – Lobby – Poker room")
    page.keyboard.press(" ")
    page.wait_for_url(f"**/tables/{two.table(1)}/")
    expect(page).to_have_title("● Your turn – Monday · Table 1 – Poker room")
    expect(_strip(page, "Monday")).to_have_attribute("aria-current", "page")
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(0)
    two.ask_another(1)
    expect(page).to_have_title("Monday · Table 1 – Poker room")


# The browser says that the network is gone; the room answers the next ping all the same.
_DOUBTED = """async () => {
  const { line } = await import("/static/js/shared/socket.js");
  await new Promise((resolve) => {
    line().addEventListener("line", ({ detail }) => detail.state === "answers" && resolve());
    dispatchEvent(new Event("offline"));
  });
}"""


def test_the_strip_is_grey_no_longer_than_the_room_is_silent(visit: Visit, two: TwoTables) -> None:
    page = visit(two.anna, "/")
    expect(page.locator("#my-tables a")).to_have_count(2)
    page.evaluate(_DOUBTED)
    assert page.locator("#my-tables").get_attribute("data-stale") is None


def test_a_turn_elsewhere_moves_the_strip_and_not_the_page(visit: Visit, two: TwoTables) -> None:
    page = visit(two.anna, "/", (320, 300))
    expect(page.locator("#my-tables a")).to_have_count(2)
    page.evaluate("() => scrollTo(0, 600)")
    two.ask(1)
    expect(_strip(page, "Monday")).to_have_attribute("data-turn", "")
    assert page.evaluate("() => scrollY") > 300, "rows may come and go, the page does not jump"
    page.evaluate("() => scrollTo(0, 0)")
    expect(_strip(page, "Monday")).to_be_in_viewport(ratio=0.5)


def test_space_types_a_space_in_a_text_field(visit: Visit, two: TwoTables) -> None:
    two.ask(0)
    page = visit(two.anna, "/")
    expect(page.locator("#my-tables [data-turn]")).to_have_count(1)
    page.locator("[name=words]").fill("a")
    page.keyboard.type(" b")
    expect(page.locator("[name=words]")).to_have_value("a b")


def test_space_plays_a_replay_while_a_table_waits(visit: Visit, two: TwoTables) -> None:
    hands = Hand.objects.filter(table=two.table(0))
    while not hands.exists():
        two.ask(0)
        two.ask_another(0)
    hands.update(released_at=timezone.now())
    two.ask(0)
    page = visit(two.anna, f"/tables/{two.table(0)}/hands/1/")
    expect(page.locator("#my-tables [data-turn]")).to_have_count(1)
    page.keyboard.press(" ")
    # A way to the table would have ended the replay by its second step.
    expect(page.get_by_role("slider")).to_have_value("2")
    assert page.url.endswith("/hands/1/")


def test_space_leads_from_the_featured_table_to_the_own_turn(visit: Visit, two: TwoTables) -> None:
    [shown, _] = two.games
    shown.cards_up = "everybody"
    shown.save()
    two.ask(1)
    page = visit(two.anna, f"/tournaments/{shown.pk}/featured/")
    expect(page.locator("#my-tables [data-turn]")).to_have_count(1)
    page.keyboard.press(" ")
    page.wait_for_url(f"**/tables/{two.table(1)}/")


def test_the_notice_of_a_turn_disappears_with_the_turn(visit: Visit, two: TwoTables) -> None:
    two.ask(0)
    page = visit(two.anna, "/wallet/")
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(1)
    two.ask_another(0)
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(0)
    expect(page).to_have_title("Wallet – Poker room")


_MENDED = """async () => {
  const { line } = await import("/static/js/shared/socket.js");
  delete line().open;
  line().open();
}"""


def test_a_turn_elsewhere_is_not_live_while_the_connection_is_lost(
    visit: Visit, two: TwoTables
) -> None:
    two.ask(0)
    page = visit(two.anna, "/wallet/")
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(1)
    page.evaluate(NETWORK_GONE)
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(0)
    expect(page).to_have_title("Wallet – Poker room")
    expect(page.locator("#my-tables [data-turn]")).to_have_count(0)
    expect(_strip(page, "Friday")).not_to_contain_text("Your turn")
    page.evaluate(_MENDED)
    expect(page.locator(".toast[data-kind=turn]")).to_have_count(1)
    expect(page).to_have_title("● Your turn: Friday, table 1 – Wallet – Poker room")


@pytest.mark.sample
def test_a_second_window_watches_until_it_takes_over(visit: Visit, two: TwoTables) -> None:
    two.ask(0)
    address = f"/tables/{two.table(0)}/"
    first = visit(two.anna, address)
    expect(first.locator(".verb.fold")).to_be_visible()
    second = _another(first, address)
    expect(second.locator(".notice")).to_contain_text(ELSEWHERE)
    expect(second.locator(".verb.fold")).to_be_hidden()
    expect(first.locator(".notice")).to_be_hidden()
    expect(second.get_by_role("button", name="Play here")).to_be_focused()
    second.keyboard.press("Enter")
    expect(second.locator(".verb.fold")).to_be_visible()
    expect(first.locator(".notice")).to_contain_text(ELSEWHERE)
    expect(first.locator(".verb.fold")).to_be_hidden()


@pytest.mark.sample
def test_a_reloaded_page_plays_on(visit: Visit, two: TwoTables) -> None:
    two.ask(0)
    page = visit(two.anna, f"/tables/{two.table(0)}/")
    for _ in range(2):
        expect(page.locator(".verb.fold")).to_be_visible()
        page.reload()
    expect(page.locator(".verb.fold")).to_be_visible()
    expect(page.locator(".notice")).to_be_hidden()


def test_a_player_without_a_playing_window_is_notified(
    visit: Visit, two: TwoTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LINE_GRACE_MS", 100)
    two.ask(0)
    address = f"/tables/{two.table(0)}/"
    first = visit(two.anna, address)
    expect(first.locator(".verb.fold")).to_be_visible()
    second, lobby = _another(first, address), _another(first, "/")
    expect(second.locator(".notice")).to_contain_text(ELSEWHERE)
    two.ask_another(0)
    first.close()
    expect(second.locator(".notice")).to_contain_text(NOWHERE)
    expect(_strip(lobby, "Friday")).to_contain_text("open in no window")
    second.get_by_role("button", name="Play here").click()
    expect(second.locator(".notice")).to_be_hidden()
    expect(_strip(lobby, "Friday")).not_to_contain_text("open in no window")


def test_a_duplicated_window_counts_as_another_window(visit: Visit, two: TwoTables) -> None:
    first = visit(two.anna, f"/tables/{two.table(0)}/")
    kept = first.evaluate("() => ({ ...sessionStorage })")
    second = first.context.new_page()
    second.add_init_script(
        f"if (!sessionStorage.length) Object.assign(sessionStorage, {kept!r})".replace("'", '"')
    )
    second.goto(first.url)
    expect(second.locator(".notice")).to_contain_text(ELSEWHERE)
    assert second.evaluate("() => sessionStorage['room.window']") != kept["room.window"]
