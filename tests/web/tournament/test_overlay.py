"""Overlays of a stream: a transparent page of its link alone, bounded, and cut when revoked."""

from __future__ import annotations

import base64
import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client as Web
from django.utils import timezone
from playwright.sync_api import Page, expect
from redis import Redis
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from accounts.models import User
from config import limits
from config.refusals import Refusal
from tables.cardsup import facts
from tables.history.kept import kept_of
from tables.models import Seat
from tests.bench.shared.page_sizes import PageSize, growth
from tests.config.files.drawn_pictures import drawn
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN, Site, reserved_port, users
from tests.tournaments.cardsup.scene import DELAY_MS, FINAL_MS, CardsUpScene
from tests.web import browsing
from tests.web.visiting import Visit, visit
from tournaments.models import Tournament
from tournaments.overlays import linking, sponsoring
from tournaments.overlays.models import OverlayLink

__all__ = ["site", "visit"]

SIZES = [(1920, 1080), (1280, 720)]


@pytest.fixture
def scene(site: Site, room: Redis) -> CardsUpScene:
    """One settled hand of six players, so that the tournament is in play."""
    made = CardsUpScene(room, players=6, seats=6, starting_stack=100_000)
    made.play(1)
    return made


def made_link(scene: CardsUpScene) -> tuple[OverlayLink, str]:
    """A link of a fresh operator."""
    [staff] = users(f"staff{random.randrange(10**6)}")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    return linking.make_link(scene.tournament.pk, staff, name="Main", theme="dark")


def deal(scene: CardsUpScene) -> int:
    """Tell the first hand up to its deal, with the facts of that time; return the time."""
    kept = kept_of(scene.hands().first())
    at_ms = kept.began_ms + max(DELAY_MS, kept.released_ms - kept.began_ms)
    facts.note_facts(scene.redis, at_ms - DELAY_MS)
    scene.look(at_ms)
    return at_ms


_ALPHAS = """
async ([picture, points]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const paper = canvas.getContext("2d");
  paper.drawImage(image, 0, 0);
  return points.map(([x, y]) => paper.getImageData(x, y, 1, 1).data[3]);
}
"""


def alphas(page: Page, picture: bytes, points: list[tuple[int, int]]) -> list[int]:
    """Opacity of pixels of a PNG, 0 to 255, read by an empty page of the browser."""
    blank = page.context.new_page()
    written = base64.b64encode(picture).decode()
    found: list[int] = blank.evaluate(_ALPHAS, [written, points])
    blank.close()
    return found


@pytest.mark.sample
def test_an_overlay_shows_the_table_over_a_transparent_page(
    scene: CardsUpScene, visit: Visit
) -> None:
    _, token = made_link(scene)
    pages = [visit(None, f"/overlay/{token}/", size) for size in SIZES]
    deal(scene)
    for page, size in zip(pages, SIZES, strict=True):
        _is_drawn(page, size)


def _is_drawn(page: Page, size: tuple[int, int]) -> None:
    """Look at a told table: its plates, panels and transparent middle, all within the page."""
    expect(page.locator(".plate")).to_have_count(6)
    expect(page.locator(".plate .card:not(.back)")).to_have_count(12)
    expect(page.locator(".plate-chance:not([hidden])")).to_have_count(6)
    expect(page.locator(".overlay-chips li")).not_to_have_count(0)
    expect(page.locator(".overlay-payouts li")).not_to_have_count(0)
    expect(page.locator("[data-part=level]")).to_have_text("Level 1")
    expect(page.locator("[data-part=stakes]")).to_have_text(re.compile(r"^\d+ / \d+"))
    box = page.locator(".plate").first.bounding_box()
    assert box is not None
    # The middle is free for the picture below, the plates are not.
    middle = (size[0] // 2, size[1] // 3)
    plate = (int(box["x"] + box["width"] / 2), int(box["y"] + 6))
    free, covered = alphas(page, page.screenshot(omit_background=True), [middle, plate])
    assert free == 0 and covered > 128
    beyond = page.evaluate(
        "() => [...document.querySelectorAll('#overlay-stage > :not([hidden])')]"
        ".map((part) => part.getBoundingClientRect())"
        ".filter((box) => box.right > innerWidth + 1 || box.bottom > innerHeight + 1).length"
    )
    assert beyond == 0


def test_panels_and_colours_are_chosen_in_the_address(
    scene: CardsUpScene, visit: Visit, tmp_path: Path, settings: Any
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    link, token = made_link(scene)
    sponsoring.show_sponsor(scene.tournament.pk, link.made_by, drawn("PNG", (600, 200)))
    full = visit(None, f"/overlay/{token}/", SIZES[1])
    expect(full.locator(".overlay-sponsor")).to_have_js_property("naturalWidth", 600)
    page = visit(None, f"/overlay/{token}/?panels=board,clock,nonsense&theme=light", SIZES[1])
    deal(scene)
    expect(page.locator(".overlay-board")).to_be_visible()
    expect(page.locator(".overlay-players")).to_be_hidden()
    expect(page.locator(".overlay-ticker, .overlay-sponsor")).to_have_count(2)
    expect(page.locator(".overlay-ticker")).to_be_hidden()
    expect(page.locator(".overlay-sponsor")).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-theme", "light")


def test_an_overlay_shows_no_level_and_no_field_of_a_tournament_that_is_over(
    scene: CardsUpScene, visit: Visit
) -> None:
    _, token = made_link(scene)
    page = visit(None, f"/overlay/{token}/", SIZES[1])
    told_ms = deal(scene)
    expect(page.locator(".overlay-clock")).to_be_visible()
    Seat.objects.all().delete()
    over = Tournament.objects.filter(pk=scene.tournament.pk)
    over.update(state="finished", finished_at=timezone.now())
    noted_ms = told_ms + limits.CARDS_UP_FACTS_MS
    scene.look(noted_ms)
    scene.look(noted_ms + FINAL_MS)
    for panel in ("clock", "counts", "chips"):
        expect(page.locator(f".overlay-{panel}")).to_be_hidden()
    expect(page.locator(".overlay-payouts")).to_be_visible()


def test_a_revoked_link_cuts_its_overlay_and_opens_nothing(
    scene: CardsUpScene, visit: Visit, site: Site
) -> None:
    link, token = made_link(scene)
    other, other_token = made_link(scene)
    page, kept = (visit(None, f"/overlay/{one}/", SIZES[1]) for one in (token, other_token))
    deal(scene)
    for one in (page, kept):
        expect(one.locator(".plate")).to_have_count(6)
    assert not linking.revoke_link(scene.tournament.pk + 1, link.made_by, link.pk)
    assert linking.revoke_link(scene.tournament.pk, link.made_by, link.pk)
    assert not linking.revoke_link(scene.tournament.pk, link.made_by, link.pk)
    expect(page.locator("#overlay-state")).to_have_text("This link was revoked.")
    expect(page.locator(".plate").first).to_be_hidden()
    expect(kept.locator(".plate").first).to_be_visible()
    answer = page.goto(page.url)
    assert answer is not None and answer.status == 404
    assert _handshake(site, token) == 403
    assert _handshake(site, "0" * 32) == 403
    assert {one.pk for one in linking.open_links(scene.tournament.pk)} == {other.pk}


def test_a_link_revoked_while_its_overlay_hears_nothing_clears_the_picture(
    scene: CardsUpScene, visit: Visit, site: Site
) -> None:
    link, token = made_link(scene)
    page = visit(None, f"/overlay/{token}/", SIZES[1])
    deal(scene)
    expect(page.locator(".plate")).to_have_count(6)
    attempts: list[object] = []
    page.on("websocket", lambda socket: attempts.append(socket))  # noqa: PLW0108
    site.stop()
    assert linking.revoke_link(scene.tournament.pk, link.made_by, link.pk)
    # A proxy that answers in place of the room says nothing about the link.
    page.route("**/overlay/*/", lambda route: route.fulfill(status=502))
    browsing.wait_until(page, lambda: len(attempts) > 2)
    expect(page.locator(".plate").first).to_be_visible()
    page.unroute("**/overlay/*/")
    again = Site(reserved_port())
    again.start()
    try:
        expect(page.locator("#overlay-state")).to_have_text("This link was revoked.")
        expect(page.locator(".plate").first).to_be_hidden()
        attempts.clear()
        browsing.wait_until(page, lambda: len(attempts) > 1)
        expect(page.locator(".plate").first).to_be_hidden()
    finally:
        again.stop()


def test_a_link_follows_its_two_streams_and_nothing_else(scene: CardsUpScene, site: Site) -> None:
    _, token = made_link(scene)
    scene.tournament.cards_up = "commentators"
    scene.tournament.save()
    address = f"ws://127.0.0.1:{site.port}/ws/v1/overlay/{token}/"
    with connect(address, origin=Origin(ORIGIN)) as line:
        assert msgspec.json.decode(line.recv())["user"] is None
        for stream in (scene.featured, f"field:{scene.tournament.pk}"):
            assert _asked(line, stream)["type"] == "snapshot"
        tables = f"cardsup:{scene.tables[0]}", f"table:{scene.tables[0]}"
        for stream in (*tables, "lobby", f"featured:{scene.tournament.pk + 1}", "user:1"):
            assert _asked(line, stream)["code"] == "not_yours"
        command = {"type": "act", "id": "c1", "table": scene.tables[0], "epoch": 1, "hand": 1}
        line.send(msgspec.json.encode(command | {"turn": 1, "action": "fold"}).decode())
        assert msgspec.json.decode(line.recv())["code"] == "login"


def _asked(line: Any, stream: str) -> dict[str, Any]:
    line.send(msgspec.json.encode({"type": "subscribe", "stream": stream}).decode())
    answer: dict[str, Any] = msgspec.json.decode(line.recv())
    return answer


def _handshake(site: Site, token: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{site.port}/ws/v1/overlay/{token}/", origin=Origin(ORIGIN))
    return refused.value.response.status_code


def test_organisers_make_links_that_are_shown_once(scene: CardsUpScene) -> None:
    chief = User.objects.create_user("chief", is_staff=True, is_superuser=True)
    [player] = users("player")
    address = f"/organise/{scene.tournament.pk}/overlays/"
    web = Web()
    web.force_login(player)
    assert web.post(address, {"name": "Main", "theme": "dark"}).status_code == 403
    assert not OverlayLink.objects.exists()
    web.force_login(chief)
    assert web.post(address, {"name": "", "theme": "pink"}).status_code == 200
    assert not OverlayLink.objects.exists()
    made = web.post(address, {"name": "Main", "theme": "green"}).content.decode()
    link = OverlayLink.objects.get()
    token = made.partition("/overlay/")[2][:32]
    assert linking.find_link(token) == link and token not in link.digest
    again = web.get(address).content.decode()
    assert token not in again and "Main" in again
    web.post(address, {"revoke": str(link.pk)})
    assert linking.find_link(token) is None
    scene.tournament.cards_up = "off"
    scene.tournament.save()
    with pytest.raises(Refusal) as refusal:
        linking.make_link(scene.tournament.pk, chief, name="Main", theme="dark")
    assert refusal.value.code == "no_cards_shown"
    assert OverlayLink.objects.count() == 1


def test_a_double_click_makes_one_link(scene: CardsUpScene, visit: Visit) -> None:
    chief = User.objects.create_superuser("chief", "a long password")
    page = visit(chief, f"/organise/{scene.tournament.pk}/overlays/")
    page.get_by_label("Name", exact=True).fill("Main")
    page.get_by_role("button", name="Make a link").dblclick()
    expect(page.locator("#overlay-address")).to_have_value(re.compile(r"/overlay/\w{32}/$"))
    assert OverlayLink.objects.count() == 1, "the address of another one would never be shown"


def test_an_overlay_does_not_grow_with_its_hands(scene: CardsUpScene, visit: Visit) -> None:
    """Twelve hands here; `make overlay HANDS=720` plays those of twelve hours and prints sizes."""
    _, token = made_link(scene)
    page = visit(None, f"/overlay/{token}/", SIZES[1])
    at_ms = deal(scene)
    expect(page.locator(".plate")).to_have_count(6)
    sizes: list[tuple[int, int]] = []
    for count in range(8, int(os.environ.get("OVERLAY_HANDS", "12")) + 5, 4):
        at_ms = _told_until(scene, count, at_ms)
        _is_at_end(page, scene)
        sizes.append(_sizes(page))
        sys.stdout.write(f"{count} hands: {sizes[-1][0]} nodes, {sizes[-1][1] / 1e6:.1f} MB\n")
    nodes, heap = zip(*sizes, strict=True)
    assert max(nodes) <= nodes[0] + 60, sizes
    assert heap[-1] <= 1.5 * heap[0] + 2_000_000, sizes


def test_an_overlay_goes_on_by_itself_after_a_restart_of_the_room(
    scene: CardsUpScene, visit: Visit, site: Site
) -> None:
    link, token = made_link(scene)
    page = visit(None, f"/overlay/{token}/", SIZES[1])
    at_ms = deal(scene)
    expect(page.locator(".plate")).to_have_count(6)
    page.evaluate("() => { window.opened = true; }")
    nodes, _ = _sizes(page)
    site.stop()
    # The picture of before stays, and hands that are told meanwhile are not lost to it.
    at_ms = _told_until(scene, 2, at_ms)
    expect(page.locator(".plate")).to_have_count(6)
    again = Site(reserved_port())
    again.start()
    try:
        _is_at_end(page, scene)
        _told_until(scene, 3, at_ms)
        _is_at_end(page, scene)
        assert page.evaluate("() => window.opened"), "it was not loaded anew"
        assert again.ask(lambda here: len(here.linked._of_link[link.pk])) == 1
        assert _sizes(page)[0] <= nodes + 60
        fresh = visit(None, f"/overlay/{token}/", SIZES[1])
        _is_at_end(fresh, scene)
        names = fresh.locator(".plate-who b").all_inner_texts()
        assert len(names) > 1
        expect(page.locator(".plate-who b")).to_have_text(names)
    finally:
        again.stop()


def _told_until(scene: CardsUpScene, hands: int, at_ms: int) -> int:
    """Play until so many hands are settled and tell them all; return the time."""
    scene.play(hands)
    ends_ms = max(at_ms, kept_of(scene.hands().last()).released_ms + DELAY_MS) + 60_000
    scene.look_until(ends_ms - 60_000, ends_ms, 30)
    return ends_ms


def _is_at_end(page: Page, scene: CardsUpScene) -> None:
    number = scene.told(scene.featured)[-1]["id"]
    expect(page.locator("#overlay-stage")).to_have_attribute("data-at", number)


def _sizes(page: Page) -> tuple[int, int]:
    """Nodes of the page, and bytes of its scripts after the garbage was collected."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return int(page.evaluate("document.querySelectorAll('*').length")), int(used)


_FLAT = PageSize(
    at_s=0,
    heap_bytes=4_000_000,
    nodes=300,
    listeners=9,
    documents=1,
    frames=90,
    frame_bytes=9,
    hands=2,
)


@pytest.mark.parametrize(
    ("field", "last"),
    [("heap_bytes", 9_000_000), ("nodes", 400), ("listeners", 40), ("documents", 2)],
)
def test_growth_is_found_and_variation_is_not(field: str, last: int) -> None:
    steady = [msgspec.structs.replace(_FLAT, nodes=300 + 20 * (at % 3)) for at in range(9)]
    assert growth(steady) == []
    first = getattr(_FLAT, field)
    growing = [
        msgspec.structs.replace(one, **{field: first + round((last - first) * at / 8)})
        for at, one in enumerate([_FLAT] * 9)
    ]
    [found] = growth(growing)
    assert found.startswith(field)
