"""Page of the featured table: all cards, chances and the reason, in step with its stream."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from redis import Redis

from tables.history.kept import kept_of
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site, users
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene
from tests.web.scenes import apart, boxes, drawn, percentages_are_apart, settled
from tests.web.visiting import Visit, speak, visit

__all__ = ["site", "visit"]

SIZES = {"desk": (1280, 800), "phone": (390, 844), "across": (844, 390)}


@pytest.fixture
def scene(site: Site, room: Redis) -> CardsUpScene:
    """Four settled hands of six players."""
    made = CardsUpScene(room, players=6, seats=6, starting_stack=100_000)
    made.play(4)
    return made


@pytest.mark.sample
def test_a_spectator_follows_the_featured_table_with_all_cards(
    scene: CardsUpScene, visit: Visit
) -> None:
    address = f"/tournaments/{scene.tournament.pk}/featured/"
    page = visit(None, address)
    expect(page.locator(".notice")).to_have_text("The first hand comes after the delay.")
    kept = kept_of(scene.hands().first())
    deal_ms = kept.began_ms + max(DELAY_MS, kept.released_ms - kept.began_ms)
    scene.look(deal_ms)
    expect(page.locator(".seat .hand[data-open]")).to_have_count(6)
    expect(page.locator(".seat .chance:not([hidden])")).to_have_count(6)
    expect(page.locator("#featured-odds")).to_contain_text("for a pot of")
    expect(page.locator("#featured-why")).to_have_text("biggest stack")
    # Who comes in mid-hand sees the same.
    other = visit(None, address, SIZES["phone"])
    expect(other.locator(".seat .hand[data-open]")).to_have_count(6)
    for size in (SIZES["phone"], SIZES["across"]):
        other.set_viewport_size({"width": size[0], "height": size[1]})
        drawn(other)
        settled(other)
        assert other.evaluate("document.body.scrollWidth <= innerWidth")
        percentages_are_apart(other)
        cards, plates = boxes(other, ".seat .hand .card"), boxes(other, ".seat .pod")
        ranks = [card | {"height": card["height"] / 2} for card in cards]
        assert all(apart(rank, plate) for rank in ranks for plate in plates), size
    scene.look(deal_ms + 3_600_000)
    scene.look(deal_ms + 3_600_000)
    last = scene.hands().last().number
    assert [e["hand"] for e in scene.told(scene.featured) if e["type"] == "hand_retold"][-1] == last
    expect(page.locator(".seat .chance:not([hidden])")).to_have_count(0)


def test_the_page_is_closed_to_those_who_may_not_follow(scene: CardsUpScene, visit: Visit) -> None:
    address = f"/tournaments/{scene.tournament.pk}/featured/"
    [outsider] = users("outsider")
    page = visit(outsider, address)
    speak(page, "de")
    expect(page.locator(".notice")).to_have_text("Die erste Hand kommt nach der Verzögerung.")
    for option, status in (("commentators", 403), ("off", 404)):
        scene.tournament.cards_up = option
        scene.tournament.save()
        answer = page.goto(page.url)
        assert answer is not None and answer.status == status
