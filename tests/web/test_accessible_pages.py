"""No page of the room has a serious or critical fault of axe-core: each route, by day and night.

The suite walks as an organiser in one language. `make accessible` walks as everybody, in both
languages, through Django's admin too.
"""

from __future__ import annotations

import json
import os
import random
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.mail import addresses
from accounts.models import Passkey, User
from accounts.providers import discovery
from tests.accounts.mail.addresses import confirmed
from tests.accounts.providers.openid_provider import provider
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import ORIGIN
from tests.tables.ring.rapid import rapid_cast
from tests.tables.ring.room import cast
from tests.tournaments.cast import Arena, open_offer, started
from tests.tournaments.club_scene import club_offer, join, make_club, person
from tests.tournaments.seasons.cast import put_places, season
from tests.web.accessible import faults, too_wide, walk
from tests.web.visiting import Visit, speak, visit

__all__ = ["site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

WHOLE = "ACCESSIBLE" in os.environ
EVERYBODY = ("", "Ann", "Olga") if WHOLE else ("Olga",)
LANGUAGES = ("en", "de") if WHOLE else ("de",)


def furnish(room: Redis) -> list[str]:
    """Put something on every page; return the addresses that links do not lead everybody to."""
    person("Olga", is_staff=True, is_superuser=True)
    club = make_club()
    join(club, "Ann")
    put_places(club_offer(club, name="Tuesday"), ("Olga", "Ann"))
    season(club)
    open_offer(name="Evening", start="scheduled", starts_at=timezone.now() + timedelta(hours=1))
    running = started(4, name="Friday")
    arena = Arena(running.pk)
    [table] = arena.tables()
    arena.hand(table)
    cast.player("Pia")
    rapid_cast.joined(rapid_cast.pool(), 2)
    ring = cast.game(name="Ring")
    return [
        "/",
        f"/tables/{table}/",
        f"/tables/{table}/hands/1/",
        f"/ring/{ring.pk}/",
        "/ring/jackpots/",
        "/seasons/",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EVERYBODY)
def test_no_page_shuts_anybody_out(visit: Visit, room: Redis, name: str, language: str) -> None:
    random.seed(1)
    starts = furnish(room)
    user = User.objects.get(name=name) if name else None
    page = visit(user, "/")
    starts += [f"/players/{user.pk}/", "/account/"] if user else []
    speak(page, language)
    walked = 0
    found: dict[str, list[str]] = {}
    for address in walk(page, ORIGIN, *starts, admin=WHOLE):
        walked += 1
        if wrong := faults(page) + too_wide(page):
            found[address] = wrong
    assert walked > 15
    assert not found, json.dumps(found, indent=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_of_log_ins_by_providers_and_of_a_clubs_picture(
    visit: Visit, settings: Settings, language: str
) -> None:
    discovery.forget()
    with provider() as held:
        settings.OPENID_NETWORKS = ["127.0.0.0/8"]
        settings.OPENID_PROVIDERS = (held.entry(name="Club-Konto"),)
        settings.PUBLIC_URL = ORIGIN
        page = visit(None, "/accounts/login/")
        speak(page, language)
        found = {"login": faults(page) + too_wide(page)}
        page.goto(f"{ORIGIN}/accounts/signup/")
        found["signup"] = faults(page) + too_wide(page)
        page.goto(f"{ORIGIN}/accounts/with/local/back/?state=made-up&code=made-up")
        found["refused"] = faults(page) + too_wide(page)
        page.goto(f"{ORIGIN}/accounts/signup/")
        page.locator('form[action="/accounts/with/local/"] button').click()
        page.get_by_role("link", name="I am ann-1").click()
        expect(page).to_have_url(f"{ORIGIN}/accounts/signup/with/")
        found["name"] = faults(page) + too_wide(page)
        page.locator("main form button").click()
        expect(page).not_to_have_url(f"{ORIGIN}/accounts/signup/with/")
        page.goto(f"{ORIGIN}/account/providers/")
        expect(page.locator('form[action$="/unlink/"] button')).to_have_count(1)
        found["linked"] = faults(page) + too_wide(page)
        # The page that leads to the provider goes on at once, and stays where that has no content.
        page = visit(None, "/accounts/login/")
        speak(page, language)
        page.route(f"{held.address}/**", lambda route: route.fulfill(status=204))
        with page.expect_request(f"{held.address}/**"):
            page.locator('form[action="/accounts/with/local/"] button').click()
        expect(page.locator(f'main a[href^="{held.address}"]')).to_be_visible()
        found["leave"] = faults(page) + too_wide(page)
        olga = person("Olga")
        make_club()
        page = visit(olga, "/account/confirm/")
        speak(page, language)
        for address in ("/account/confirm/", "/account/providers/", "/clubs/river-rats/picture/"):
            page.goto(ORIGIN + address)
            found[address] = faults(page) + too_wide(page)
    assert not {name: wrong for name, wrong in found.items() if wrong}, json.dumps(found, indent=1)


def test_pages_of_mail_addresses(visit: Visit, settings: Settings) -> None:
    settings.MAIL_URL = "file:///unused"
    ann = confirmed(person("Ann"), "ann@example.org", "ann@example.net")
    addresses.add(ann, "waiting@example.org", "")
    page, found = visit(ann, "/account/emails/"), {}
    for language in ("en", "de"):
        page.goto(f"{ORIGIN}/account/emails/")
        speak(page, language)
        found[f"list {language}"] = faults(page) + too_wide(page)
        page.get_by_role("main").locator("input[type=email]").fill("ann@example.org")
        page.locator("button.main").click()
        expect(page.get_by_role("alert")).to_be_visible()
        found[f"refused {language}"] = faults(page) + too_wide(page)
        for address in ("/account/", "/accounts/email/made-up/", "/accounts/forgotten/"):
            page.goto(ORIGIN + address)
            found[f"{address} {language}"] = faults(page) + too_wide(page)
    assert not {name: wrong for name, wrong in found.items() if wrong}, json.dumps(found, indent=1)


def test_pages_of_a_sign_up_with_an_address_and_of_lost_factors(
    visit: Visit, settings: Settings
) -> None:
    settings.MAIL_URL, settings.EMAIL_REQUIRED = "file:///unused", True
    ann = person("Ann")
    Passkey.objects.create(user=ann, name="phone", credential="x", data=b"")
    boss = visit(person("Olga", is_staff=True, is_superuser=True), "/")
    page, found = visit(None, "/accounts/signup/"), {}
    for language in ("en", "de"):
        speak(page, language)
        page.locator("main button.main").click()
        expect(page.get_by_role("alert")).to_have_count(3)
        found[f"signup {language}"] = faults(page) + too_wide(page)
        boss.goto(f"{ORIGIN}/account/")
        speak(boss, language)
        expect(boss.locator(".account-needs")).to_be_visible()
        found[f"account {language}"] = faults(boss) + too_wide(boss)
        boss.goto(f"{ORIGIN}/admin/accounts/user/{ann.pk}/factors/")
        expect(boss.locator("input[name=reason]")).to_be_visible()
        found[f"factors {language}"] = faults(boss)
    assert not {name: wrong for name, wrong in found.items() if wrong}, json.dumps(found, indent=1)


def test_a_link_beside_words_of_the_promotions_is_told_without_its_colour(visit: Visit) -> None:
    boss = person("Olga", is_staff=True, is_superuser=True)
    open_offer(buy_in=1_000, guarantee=50_000)
    page = visit(boss, "/admin/accounts/account/promotions/")
    expect(page.locator("#content td:has(a)")).to_contain_text("480.00")
    assert faults(page) == []


def test_planted_faults_and_a_colour_that_is_weak_in_one_theme_are_found(visit: Visit) -> None:
    page = visit(None, "/look/")
    assert faults(page) == []
    for ink, theme in (("#999", "day"), ("#555", "night")):
        page.evaluate("(ink) => { document.querySelector('main h1').style.color = ink; }", ink)
        [fault] = faults(page)
        assert fault.startswith("color-contrast") and fault.endswith(f"({theme})")
    page.evaluate("document.querySelector('main').innerHTML = '<input><img src=x>'")
    assert {one.split(":")[0] for one in faults(page)} == {"image-alt", "label"}
