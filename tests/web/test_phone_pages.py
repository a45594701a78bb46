"""On a phone no part of the lobby and of money pages exceeds the screen, in either language."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from accounts.bots import owning
from accounts.mail import addresses, outgoing
from accounts.models import User
from tables.models import Table
from tables.ring.models import RingSession
from tables.ring.sessions import sit_down
from tests.accounts.mail.addresses import confirmed
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, users
from tests.tables.ring.rapid import rapid_cast
from tests.tables.ring.room import cast
from tests.tournaments.cast import open_offer, started
from tests.web.accessible import faults
from tests.web.scenes import apart, boxes
from tests.web.tournament_tabs import TABS
from tests.web.visiting import Visit, speak, visit
from tournaments.entries import registration

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

# A list may be wider than its box, which then scrolls and hides: each part is measured itself.
_BEYOND = """
() => [...document.querySelectorAll("main *")]
  .filter((part) => part.getClientRects().length && !part.closest("thead"))
  .filter((part) => {
    const box = part.getBoundingClientRect();
    const place = (part.closest(".scroll") ?? document.body).getBoundingClientRect();
    if (part.matches("td") && part.scrollWidth > part.clientWidth) return true;
    return Math.round(box.right) > Math.round(place.right) || box.left < place.left - 1;
  })
  .map((part) => `${part.localName}.${part.className}: ${part.textContent.trim()}`)
"""


@pytest.mark.sample
def test_the_lobby_fits_a_phone(visit: Visit) -> None:
    starts_at = timezone.now() + timedelta(hours=1)
    open_offer(name="A long name for an evening", start="scheduled", starts_at=starts_at)
    open_offer(buy_in=123_456, fee=12_345, format="fifty_fifty", players_min=6, players_max=6)
    (ann,) = users("ann")
    page = visit(ann, "/", (390, 740))
    for language in ("de", "en"):
        speak(page, language)
        expect(page.locator("#lobby tbody tr")).to_have_count(2)
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate(_BEYOND) == [], f"{width} px"


def test_a_word_of_a_name_is_not_broken_beside_the_state(visit: Visit) -> None:
    made = open_offer(name="Samstagabend", buy_in=0, fee=0)
    (ann,) = users("ann")
    registration.register(ann, made)
    page = visit(ann, "/", (390, 740))
    for language in ("de", "en"):
        speak(page, language)
        for width in (430, 412, 390, 360):
            page.set_viewport_size({"width": width, "height": 740})
            lines = page.locator("#lobby td.title a").evaluate("(a) => a.getClientRects().length")
            assert lines == 1, f"{width} px"


def test_money_and_ring_pages_fit_a_phone(visit: Visit) -> None:
    ann, pool = cast.player("Ann", balance=9_999_999_00), rapid_cast.pool()
    session = sit_down.sit(ann, pool.pk, amount=cast.BUY_IN)
    other = sit_down.sit(ann, cast.game(name="A long name for an evening").pk, amount=cast.BUY_IN)
    RingSession.objects.filter(pk=other.pk).update(
        state="left", coming=0, left_with=12_345_67, ended_at=timezone.now()
    )
    page = visit(ann, "/wallet/", (390, 740))
    for language in ("de", "en"):
        speak(page, language)
        for address in ("/wallet/", "/ring/mine/", f"/ring/pools/{session.game_id}/"):
            page.goto(ORIGIN + address)
            expect(page.locator("main table.list").first).to_be_visible()
            for width in (390, 360, 320):
                page.set_viewport_size({"width": width, "height": 740})
                assert page.evaluate(_BEYOND) == [], f"{address} at {width} px"


def test_no_part_of_the_header_is_cut_or_covered(visit: Visit) -> None:
    made = open_offer(name="Friday")
    (ann,) = users("ann")
    page = visit(ann, f"/tournaments/{made.pk}/", (390, 740))
    for language in ("de", "en"):
        speak(page, language)
        for width, height in ((390, 844), (360, 640), (844, 390), (640, 400), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            parts = page.locator("header.top :is(a, button, .name):visible")
            expect(parts.nth(5)).to_be_visible()  # some are shown by the page's modules
            found = boxes(page, "header.top :is(a, button, .name)")
            assert len(found) >= 6
            for at, box in enumerate(found):
                assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1, (width, box)
                assert all(apart(box, other) for other in found[at + 1 :]), (width, box)
            nav = page.locator("header.top nav")
            assert nav.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1"), width


def test_the_strip_of_tabs_shows_the_open_one_on_a_phone(visit: Visit) -> None:
    made = open_offer(name="Friday")
    page = visit(None, f"/tournaments/{made.pk}/?tab=rules", (390, 740))
    for language in ("de", "en"):
        speak(page, language)
        expect(page.locator("#tab-rules")).to_be_in_viewport(ratio=0.9)
    page.goto(f"{ORIGIN}/tournaments/{made.pk}/?tab=levels")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 740})
        page.reload()
        expect(page.locator("#tab-levels")).to_be_in_viewport(ratio=0.9)
    assert faults(page) == []


def test_visitors_find_log_in_and_sign_up_in_the_header_of_a_phone(visit: Visit) -> None:
    tournament = open_offer(name="Friday")
    page = visit(None, f"/tournaments/{tournament.pk}/", (390, 844))
    for language in ("de", "en"):
        speak(page, language)
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            expect(page.locator('header.top a[href="/accounts/login/"]')).to_be_visible()
            found = boxes(page, "header.top :is(a, button)")
            assert page.locator('header.top a[href="/accounts/login/"]').is_visible()
            assert page.locator('header.top a[href*="signup"]').is_visible()
            for at, box in enumerate(found):
                assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1, (width, box)
                assert all(apart(box, other) for other in found[at + 1 :]), (width, box)
        page.evaluate("document.body.classList.add('at-table')")
        assert page.locator('header.top a[href="/accounts/login/"]').is_visible()
        page.evaluate("document.body.classList.remove('at-table')")


@pytest.mark.parametrize("who", ["visitor", "player", "organiser"])
def test_the_header_of_a_table_is_one_line(visit: Visit, who: str) -> None:
    tournament = started(2)
    address = f"/tables/{Table.objects.get(game=tournament.pk).pk}/"
    page = visit(_one(who), address, (390, 844))
    for language in ("de", "en"):
        page.evaluate("(code) => document.querySelector(`button[value=${code}]`).click()", language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_selector("poker-table .seat")
        for width in (390, 320, 360, 430, 600, 700, 768, 790, 1024, 1190, 1280, 1410):
            page.set_viewport_size({"width": width, "height": 844})
            nav = page.locator("header.top nav")
            links = nav.locator("a:visible")
            assert links.count() >= 2
            line = links.first.bounding_box()
            header = page.locator("header.top").bounding_box()
            assert line is not None and header is not None
            assert header["height"] < 2 * line["height"], (language, width)
            assert nav.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1"), width


def test_no_empty_band_lies_above_a_table_on_a_phone(visit: Visit) -> None:
    table = Table.objects.get(director="ring", game=cast.game().pk)
    page = visit(None, f"/tables/{table.pk}/", (390, 844))
    page.wait_for_selector("poker-table .seat")
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        header, strip = boxes(page, "header.top, .strip")
        assert header["y"] + header["height"] == strip["y"], width


def test_the_log_of_a_table_without_a_hand_has_its_name_on_a_phone(visit: Visit) -> None:
    game = cast.game()
    table = Table.objects.get(director="ring", game=game.pk)
    page = visit(None, f"/tables/{table.pk}/", (390, 844))
    page.wait_for_selector("poker-table .seat")
    opens = page.locator(".log-last")
    expect(opens).to_have_accessible_name("Hand log")
    opens.click()
    expect(page.locator(".log")).to_be_visible()


def test_spectators_read_the_whole_last_event_on_a_phone_held_across(visit: Visit) -> None:
    table = Table.objects.get(director="ring", game=cast.game().pk)
    page = visit(None, f"/tables/{table.pk}/", (844, 390))
    page.wait_for_selector("poker-table .seat")
    last = page.locator(".log-last")
    last.evaluate("line => { line.textContent = 'bot-0012 raises to 123,456 and is all-in'; }")
    assert last.evaluate("line => line.scrollWidth <= line.clientWidth"), "its amount is not cut"
    assert page.evaluate("document.documentElement.scrollHeight") <= 390


def test_the_page_of_bots_fits_a_phone(visit: Visit) -> None:
    (ann,) = users("ann")
    made = owning.make(ann, "A" * 15)
    page = visit(ann, "/account/bots/", (390, 740))
    for language in ("de", "en"):
        page.goto(f"{ORIGIN}/account/bots/")
        speak(page, language)
        page.locator(f'form[action$="/{made.pk}/token/"] button').click()
        expect(page.locator("#token")).to_contain_text("room_")
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate(_BEYOND) == [], f"{width} px"


def test_the_page_of_addresses_fits_a_phone(visit: Visit, settings: Settings) -> None:
    settings.MAIL_URL = "file:///unused"
    (ann,) = users("ann")
    confirmed(ann, "ann@example.org", f"{'a' * 60}@{'b' * 60}.example.org")
    addresses.add(ann, f"{'w' * 60}@example.org", "")
    page = visit(ann, "/account/emails/", (390, 740))
    for language in ("en", "de"):
        speak(page, language)
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.locator(".address").count() == 3
            assert page.evaluate(_BEYOND) == [], f"{width} px"
        boxes = [button.bounding_box() for button in page.locator(".address button").all()]
        assert len(boxes) == 4 and all(box and box["height"] >= 40 for box in boxes)
    page.locator('form[action$="/primary/"] button').click()
    expect(page.locator(".address").first).to_contain_text("bbb")
    assert outgoing.primary_address(ann.pk).startswith("aaa")


@pytest.mark.parametrize("who", ["visitor", "player", "organiser"])
def test_the_header_of_a_phone_keeps_to_one_line(visit: Visit, who: str) -> None:
    page = visit(_one(who), "/", (390, 844))
    for language in ("de", "en"):
        page.set_viewport_size({"width": 390, "height": 844})
        speak(page, language)
        for width, height in ((390, 844), (374, 740), (360, 740), (344, 740), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            parts = boxes(page, ".top :is(.brand, a, button)")
            assert len(parts) >= 5, width
            middles = [part["y"] + part["height"] / 2 for part in parts]
            assert max(middles) - min(middles) < 8, (language, width)
            assert all(part["x"] >= 0 and part["x"] + part["width"] <= width for part in parts)
            assert all(
                apart(one, other) for at, one in enumerate(parts) for other in parts[at + 1 :]
            )
            assert all(part["width"] >= 24 and part["height"] >= 24 for part in parts), width
            assert page.evaluate("() => document.documentElement.scrollWidth") == width, language


def _one(who: str) -> User | None:
    """A rich player or organiser with a long name; None for a visitor."""
    if who == "visitor":
        return None
    user = cast.player("Maximiliane", balance=9_999_999_00)
    user.is_staff = user.is_superuser = who == "organiser"
    user.save()
    return user


# Lists that scroll sideways hide their last columns, where the buttons are.
_SIDEWAYS = """
() => [...document.querySelectorAll("main .scroll")]
  .filter((part) => part.clientWidth && part.scrollWidth > part.clientWidth + 1)
  .map((part) => `${part.scrollWidth} > ${part.clientWidth}: ${part.textContent.trim()}`)
"""
_SPIN = {"format": "spin", "players_min": 3, "players_max": 3, "seats_per_table": 3}


def test_every_list_of_a_tournament_fits_a_phone(visit: Visit) -> None:
    running = started(9, seats_per_table=6, bounty=200, buy_in=1_000, starting_stack=100_000)
    ahead = open_offer(**_SPIN)
    page = visit(None, "/", (390, 844))
    for language in ("de", "en"):
        speak(page, language)
        for tournament in (running, ahead):
            for tab in TABS:
                page.goto(f"{ORIGIN}/tournaments/{tournament.pk}/?tab={tab}")
                expect(page.locator("#tab-panel")).to_be_visible()
                for width in (390, 360):
                    page.set_viewport_size({"width": width, "height": 844})
                    assert page.evaluate(_SIDEWAYS) == [], f"{language} {tab} at {width} px"
    page.goto(f"{ORIGIN}/tournaments/{running.pk}/?tab=tables")
    for box in boxes(page, "#tab-panel a.button"):
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_forms_of_a_phone_leave_room_for_a_finger(visit: Visit) -> None:
    (ann,) = users("ann")
    page = visit(ann, "/account/own-words/", (390, 844))
    for language in ("de", "en"):
        page.goto(f"{ORIGIN}/account/own-words/")
        speak(page, language)
        buttons = boxes(page, "#own-words .buttons button")
        [first, *_] = boxes(page, "#own-words .buttons ~ p, #own-words form ~ p.soft")
        assert len(buttons) == 3
        for at, one in enumerate(buttons):
            grown = {**one, "width": one["width"] + 6, "height": one["height"] + 6}
            assert all(apart(grown, other) for other in [*buttons[at + 1 :], first])
        page.goto(f"{ORIGIN}/account/tokens/")
        rights = boxes(page, ".field div > label")
        assert len(rights) >= 4 and all(right["height"] >= 44 for right in rights)
        page.goto(f"{ORIGIN}/fair/")
        asked = boxes(page, "main form input")
        assert len(asked) == 2 and all(box["height"] >= 40 for box in asked)
