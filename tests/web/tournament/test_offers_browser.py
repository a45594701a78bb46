"""Offers to buy, deals and leaving in a real browser, by click and by key."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.ledger import transfers
from accounts.models import Account, User
from config import redis
from tables.models import Seat
from tables.workers.opening import open_tables
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments.buying.rebuy_scene import bust, held, player_at_two_tables, rebuys
from tests.tournaments.cast import STACK, Arena
from tests.tournaments.entries.late_entries import pass_time
from tests.tournaments.running.final_table import FinalTable
from tests.tournaments.running.formats.cash_chips import cash
from tests.web.browsing import confirm, stand_still
from tests.web.scenes import apart
from tests.web.visiting import PHONE, Visit, tab_to, visit
from tournaments.models import Deal, Entry, Offer, Ruling
from tournaments.prizes import money
from tournaments.running import deals, tick

__all__ = ["site", "visit"]

PATIENT_MS = 600_000
"""Time in ms that offers and votes stay open, longer than any delay of the browser."""

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def _table(user: User) -> str:
    return f"/tables/{Seat.objects.filter(user=user).order_by('pk')[0].table_id}/"


def _panel(page: Page) -> Locator:
    return page.locator("#offers [role=alertdialog]")


@pytest.mark.rule("E-04")
@pytest.mark.parametrize("key", ["Enter", "click"])
def test_a_busted_player_buys_again_in_the_page(visit: Visit, key: str) -> None:
    tournament = rebuys(4, offer_ms=PATIENT_MS)
    _, entry = bust(tournament)
    page = visit(entry.user, _table(entry.user))
    expect(_panel(page)).to_contain_text("1,500 chips for 9.50")
    expect(page.get_by_role("button", name="Buy", exact=True)).to_be_focused()
    before = held(entry.user)
    if key == "click":
        page.get_by_role("button", name="Buy", exact=True).click()
    else:
        page.keyboard.press(key)
    expect(page.locator("#toasts")).to_contain_text("You have bought again.")
    expect(_panel(page)).to_have_count(0)
    expect(page.locator("#balance")).to_have_text(f"{(before - 950) / 100:,.2f}")
    assert held(entry.user) == before - 950
    assert Offer.objects.get().state == "done"
    assert Seat.objects.get(entry=entry.pk).chips == STACK


@pytest.mark.rule("E-04")
def test_a_player_who_declines_on_a_phone_is_out_and_notified(visit: Visit) -> None:
    tournament = rebuys(4, offer_ms=PATIENT_MS)
    _, entry = bust(tournament)
    page = visit(entry.user, _table(entry.user), PHONE)
    expect(_panel(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="No, thanks")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator(".end-screen h2")).to_have_text("You are out")
    expect(_panel(page)).to_have_count(0)
    entry.refresh_from_db()
    assert entry.state == "out" and Offer.objects.get().state == "declined"


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
@pytest.mark.parametrize("number", [0, 1])
def test_a_player_at_two_tables_buys_for_the_table_on_the_page(visit: Visit, number: int) -> None:
    _, entries = player_at_two_tables(rebuy_threshold="full", rebuys_max=2)
    entry, seat = entries[number], Seat.objects.get(entry=entries[number].pk)
    redis.room().flushall()
    open_tables([seat.table_id])
    page = visit(entry.user, f"/tables/{seat.table_id}/")
    button = page.locator("button.rebuy")
    expect(button).to_have_text("Buy 1,500 chips for 9.50")
    stand_still(page)
    confirm(page, "button.rebuy", still=True)
    expect(page.locator("#toasts")).to_contain_text("You get your chips before the next hand.")
    assert Offer.objects.get().entry_id == entry.pk


@pytest.mark.rule("E-05")
def test_an_add_on_is_bought_and_an_unaffordable_one_stays_open(visit: Visit) -> None:
    tournament = rebuys(3, add_on=True, add_on_price=700, add_on_chips=2_000, offer_ms=PATIENT_MS)
    tick.tick(tournament.pk)
    entry = tournament.entries.select_related("user").order_by("pk")[0]
    page = visit(entry.user, _table(entry.user))
    expect(page.locator("poker-table .seat .name", has_text=entry.name)).to_be_visible()
    pass_time(tournament, 15)
    expect(_panel(page)).to_contain_text("2,000 chips for 7.00")
    own, spare = money.player(entry.user), held(entry.user)
    _pay(own, money.room(), spare, "spent")
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(page.locator("#toasts [data-kind=error]")).to_contain_text("the account holds 0.00")
    expect(page.get_by_role("button", name="Buy", exact=True)).to_be_enabled()
    assert Offer.objects.get(entry=entry).state == "open"
    _pay(money.room(), own, spare, "back")
    page.get_by_role("button", name="Buy", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("You get your chips before the next hand.")
    assert Offer.objects.get(entry=entry).state == "accepted"


def _pay(source: Account, target: Account, amount: int, key: str) -> None:
    transfers.move(key=key, kind="credit", source=source, target=target, amount=amount)


@pytest.mark.sample
@pytest.mark.rule("Y-01")
@pytest.mark.rule("Y-02")
def test_a_deal_is_proposed_voted_and_paid_on_two_pages(visit: Visit) -> None:
    final = FinalTable(2, deal_vote_ms=PATIENT_MS)
    one, other = final.users
    first, second = (visit(user, _table(user)) for user in (one, other))
    for page in (first, second):
        page.locator("#deal-panel summary").click()
        heads = page.locator("#deal-panel thead th")
        expect(heads).to_have_text(["Player", "Chips", "equal shares", "by chips", "ICM"])
        expect(page.locator("#deal-panel tbody tr")).to_have_count(2)
        expect(page.locator("#deal-panel tr.own")).to_have_count(1)
    tab_to(first, "Propose: by chips")
    _renewed(first, "Propose: by chips")
    first.keyboard.press("Enter")
    expect(first.locator("#deal-panel summary")).to_have_text("Deal: vote after this hand")
    expect(second.locator("#deal-panel summary")).to_have_text("Deal: vote after this hand")
    for page in (first, second):
        expect(page.locator("#deal-panel details[open]")).to_have_count(1)
    while final.arena.step(final.table) != "deal":
        pass
    expect(second.locator("#deal-panel summary")).to_contain_text("Vote on a deal")
    mine = second.locator("#deal-panel tr.own td")
    expect(mine).to_have_count(4)
    share = mine.nth(2).inner_text()
    expect(first.get_by_role("button", name="Yes, agree")).to_have_count(0)
    tab_to(second, "Yes, agree")
    _renewed(second, "Yes, agree")
    second.keyboard.press("Enter")
    expect(second.locator(".end-screen .prize")).to_have_text(f"Prize: {share}")
    expect(first.locator("#deal-panel details")).to_have_count(0)
    deal = Deal.objects.get()
    assert deal.state == "agreed" and deal.kind == "chips"
    prizes = dict(Entry.objects.values_list("user", "prize"))
    assert f"{prizes[other.pk] / 100:,.2f}" == share
    for page, user in ((first, one), (second, other)):
        _shows_the_place(page, Entry.objects.get(user=user).place)
    second.reload()
    _shows_the_place(second, Entry.objects.get(user=other).place)
    _notices_leave_the_end_free(second)


def _shows_the_place(page: Page, place: int | None) -> None:
    assert place in (1, 2)
    mine = page.locator(".strip .fact:visible", has_text="My")
    expect(mine).to_have_text("My place1st of 2" if place == 1 else "My place2nd of 2")
    expect(page.locator(".strip .fact:visible", has_text="Players")).to_have_count(0)


def _notices_leave_the_end_free(page: Page) -> None:
    """A notice on a phone, on its side and upright, covers nothing of the screen at the end."""
    script = "async () => (await import('/static/js/shared/toasts.js')).toast({title: 'Prize'})"
    page.evaluate(f"({script})().then(() => null)")
    for width, height in ((844, 390), PHONE):
        page.set_viewport_size({"width": width, "height": height})
        notice, screen = (page.locator(part).bounding_box() for part in (".toast", ".end-screen"))
        assert notice is not None and screen is not None
        assert apart(notice, screen), (width, height)
        assert screen["y"] + screen["height"] <= height


def _renewed(page: Page, words: str) -> None:
    """Request the deal panel again; the button with these words keeps the focus."""
    page.evaluate("() => (document.activeElement.dataset.before = true)")
    page.evaluate("() => document.body.dispatchEvent(new Event('room:deal'))")
    expect(page.locator("button[data-before]")).to_have_count(0)
    expect(page.get_by_role("button", name=words)).to_be_focused()


@pytest.mark.rule("Y-01")
def test_a_no_on_the_page_lets_the_table_play_on(visit: Visit) -> None:
    final = FinalTable(2, deal_vote_ms=PATIENT_MS)
    deals.propose(final.users[0], final.tournament.pk, "equal")
    while final.arena.step(final.table) != "deal":
        pass
    page = visit(final.users[1], _table(final.users[1]))
    page.get_by_role("button", name="No, play on").click()
    expect(page.locator("#deal-panel summary")).to_have_text("Deal")
    assert Deal.objects.get().state == "refused"
    assert final.arena.step(final.table) == "grant"


@pytest.mark.rule("A-04")
def test_a_player_cashes_out_the_stack_from_the_table(visit: Visit) -> None:
    tournament = cash(3)
    arena = Arena(tournament.pk)
    [table] = arena.tables()
    entry = tournament.entries.select_related("user").order_by("pk")[0]
    page = visit(entry.user, f"/tables/{table}/")
    leaving = page.locator("button.leave")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(leaving).to_have_text("Leave: 15.00")
    tools = page.locator(".tools > :not(.log-last, .chat-toggle):visible").all()
    boxes = [box for tool in tools if (box := tool.bounding_box())]
    assert len(boxes) == len(tools)
    tops = {box["y"] for box in boxes}
    box = leaving.bounding_box()
    assert box is not None and box["x"] + box["width"] <= PHONE[0], "it fits a phone"
    assert max(tops) - min(tops) < 20, "the tools keep to one line"
    stand_still(page)
    tab_to(page, "Leave: ")
    page.keyboard.press("Enter")
    expect(leaving).to_have_text("Leave: 15.00: sure?")
    page.keyboard.press("Tab")
    expect(leaving).to_have_text("Leave: 15.00")
    assert not Ruling.objects.exists(), "playing on is no consent"
    confirm(page, "button.leave", still=True)
    expect(page.locator("#toasts")).to_contain_text("You leave Test after this hand")
    expect(leaving).to_have_count(0)
    page.clock.resume()
    assert Ruling.objects.get().entry_id == entry.pk
    before = held(entry.user)
    arena.step(table)
    assert held(entry.user) == before + STACK
    screen = page.locator(".end-screen")
    expect(screen.locator("h2")).to_have_text("Place 3 of 3")
    expect(screen).to_be_focused()
    # News of the others renews the screen, and the focus stays where the reader has it.
    for part in (
        screen.get_by_role("link", name="To the tournament"),
        page.get_by_role("button", name="In BB"),
    ):
        part.first.focus()
        screen.evaluate("(screen) => { screen.dataset.old = ''; }")
        page.evaluate("document.body.dispatchEvent(new Event('room:end'))")
        expect(page.locator(".end-screen:not([data-old])")).to_be_visible()
        expect(part.first).to_be_focused()


@pytest.mark.rule("A-04")
def test_the_button_to_leave_disappears_with_the_seat(visit: Visit) -> None:
    tournament = cash(3)
    [table] = Arena(tournament.pk).tables()
    entry = tournament.entries.select_related("user").order_by("pk")[0]
    page = visit(entry.user, f"/tables/{table}/")
    expect(page.locator("button.leave")).to_have_text("Leave: 15.00")
    page.evaluate(
        """() => {
          const { model } = document.querySelector("poker-table");
          const { seat, entry } = model.seat;
          model.events([{ type: "seat_left", seat, entry, reason: "out" }]);
        }"""
    )
    expect(page.locator("poker-table[data-seatless]")).to_have_count(1)
    expect(page.locator("button.leave")).to_have_count(0)


@pytest.mark.rule("A-04")
def test_no_button_to_leave_where_chips_have_no_cash_value(visit: Visit) -> None:
    entry = rebuys(3).entries.select_related("user").order_by("pk")[0]
    page = visit(entry.user, "/healthz", PHONE)
    with page.expect_response(re.compile(r"/seat/\?table=\d+$")) as answer:
        page.goto(f"{ORIGIN}{_table(entry.user)}")
    expect(page.get_by_role("button", name="Sit out")).to_be_visible()
    assert answer.value.json()["leave"] is None
    expect(page.locator("button.leave")).to_have_count(0)
