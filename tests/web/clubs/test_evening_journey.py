"""A manager of a club runs an evening on a phone: from creating the tournament to its results."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect
from redis import Redis

from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tournaments import course
from tests.tournaments.cast import structure
from tests.tournaments.club_scene import join, make_club
from tests.web.played import PlayedTournament
from tests.web.visiting import PHONE, Visit, visit
from tournaments.entries import registration
from tournaments.models import Entry, Tournament

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


@pytest.mark.sample
def test_an_evening_from_its_creation_to_its_results(visit: Visit, room: Redis) -> None:
    structure("regular")
    club = make_club()
    members = [join(club, name) for name in ("Ann", "Ben", "Cid")]
    page = visit(join(club, "Max", "manager"), f"/clubs/{club.slug}/", PHONE)
    made = _create(page)
    for member in members[:2]:
        registration.register(member, made)
    _seat(page, "Cid")
    _press(page, "Start", "everybody is here")
    _message(page, "Dinner at nine")
    player = visit(members[0], f"/tournaments/{made.pk}/", PHONE)
    expect(player.get_by_role("main")).to_contain_text("Running")
    _play_one_hand_and_pause(page, room, made)
    _press(page, "Resume", "dessert")
    course.play(room, made, random.Random(3), lambda row: row.state == "finished")

    page.reload()
    expect(page.locator("main .badge").first).to_have_attribute("data-status", "finished")
    _fits(page)
    winner = Entry.objects.get(tournament=made, place=1)
    row = page.locator("table.list tr").filter(has_text=winner.name).first
    expect(row.locator(".state")).to_have_text("1")
    page.get_by_role("link", name="Tournament", exact=True).click()
    expect(page.locator(".podium li[data-place='1']")).to_contain_text(winner.name)
    _fits(page)
    page.goto(f"{ORIGIN}/clubs/{club.slug}/")
    result = page.locator(f"#tournament-{made.pk}")
    expect(result.get_by_role("link", name="Result")).to_be_visible()
    _fits(page)


def _play_one_hand_and_pause(page: Page, room: Redis, made: Tournament) -> None:
    played = PlayedTournament(room, made)
    assert played.until_turn(lambda _asked: True)
    _press(page, "Pause after the hand", "dinner")

    def all_wait(row: Tournament) -> bool:
        return row.state == "paused" and all(one.phase == "boundary" for one in played.states())

    course.play(room, made, random.Random(2), all_wait)
    page.reload()
    expect(page.locator("main .badge").first).to_have_attribute("data-status", "paused")


def _fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], page.url


def _create(page: Page) -> Tournament:
    """Create the tournament of the evening; end at its cockpit."""
    page.get_by_role("link", name="New tournament").first.click()
    page.get_by_label("Name", exact=True).fill("Friday")
    page.get_by_label("Buy-in").fill("0")
    page.get_by_label("Fee", exact=True).fill("0")
    _fits(page)
    page.get_by_role("button", name="Create and open registration").click()
    expect(page.locator(".messages")).to_contain_text("registration is open")
    made = Tournament.objects.get()
    Tournament.objects.filter(pk=made.pk).update(
        hand_pause_ms=0, showdown_pause_ms=0, street_pause_ms=0
    )
    page.goto(f"{ORIGIN}/organise/{made.pk}/")
    return made


def _seat(page: Page, name: str) -> None:
    page.get_by_role("link", name="Seat a player").click()
    page.get_by_label("Player").fill(name)
    page.get_by_label("Reason").fill("asked at the door")
    _fits(page)
    page.get_by_role("main").get_by_role("button").click()
    expect(page.locator(".messages")).to_contain_text(name)
    _fits(page)


def _message(page: Page, text: str) -> None:
    page.get_by_role("link", name="Message to all").click()
    page.get_by_label("Message").fill(text)
    page.get_by_label("Reason").fill("told aloud too")
    _fits(page)
    page.get_by_role("main").get_by_role("button").click()
    expect(page.locator(".messages")).to_be_visible()


def _press(page: Page, step: str, reason: str) -> None:
    """Take a step of the cockpit with its reason."""
    page.get_by_role("link", name=step).first.click()
    page.get_by_label("Reason").fill(reason)
    _fits(page)
    page.get_by_role("main").get_by_role("button", name=step).click()
    expect(page.locator(".messages")).to_contain_text("Friday")
    _fits(page)
