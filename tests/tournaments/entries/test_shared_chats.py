"""Chats of tournaments and clubs: players and members write, all who may look read."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.urls import reverse
from playwright.sync_api import expect
from redis import Redis

from accounts.clubs import members
from accounts.users import bots
from tables.models import Seat
from tables.store import fenced
from tests.tables.gateway.chat.chatting import chatty, stored, writes
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import Site
from tests.tournaments import course
from tests.tournaments.cast import offer, started
from tests.tournaments.club_scene import join, make_club, person
from tests.web.visiting import PHONE, Visit, visit
from tournaments.entries import registration
from tournaments.running import operations

__all__ = ["chatty", "site", "visit"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def test_players_of_a_tournament_write_and_everybody_reads(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    made = offer()
    operations.open(made.pk)
    player, other = bots.create(2)
    registration.register(player, made)
    stream = f"tournamentchat:{made.pk}"
    stranger, writer, reader = site.client(), site.client(player), site.client(other)
    assert writes(writer, stream, "hello")["code"] == "not_following"
    for client in (stranger, writer, reader):
        client.follow(stream)
    assert writes(reader, stream, "me too")["code"] == "chat_not_yours"
    assert writes(stranger, stream, "me too")["code"] == "login"
    assert writes(writer, stream, "good luck")["type"] == "result"
    assert stranger.events(stream, 1)[0]["text"] == "good luck"
    registration.unregister(player, made)
    assert writes(writer, stream, "bye")["code"] == "chat_not_yours"
    assert stored() == ["good luck"]


def test_a_chat_of_nothing_is_no_stream(site: Site, house: Redis, chatty: LazySettings) -> None:
    client = site.client(bots.create(1)[0])
    for stream in ("tournamentchat:9", "clubchat:9", "tablechat:9"):
        client.say(type="subscribe", stream=stream)
        assert client.expect("refused", stream=stream)["code"] == "no_such_stream"
        assert "code" in writes(client, stream, "hello")
    assert stored() == []


def test_members_of_a_club_write_until_they_leave(
    site: Site, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    mia, max_ = join(club, "Mia"), join(club, "Max", "manager")
    stream = f"clubchat:{club.pk}"
    writer, reader = site.client(mia), site.client(max_)
    writer.follow(stream)
    reader.follow(stream)
    assert writes(writer, stream, "pizza at eight")["type"] == "result"
    assert reader.events(stream, 1)[0]["text"] == "pizza at eight"
    members.remove(club, person("Olga"), mia)
    assert writer.expect("refused", stream=stream)["code"] == "no_such_stream"
    assert writes(writer, stream, "hey")["code"] == "not_following"
    assert stored() == ["pizza at eight"]


def test_an_all_in_is_quiet_in_the_chat_of_the_tournament_too(
    site: Site, house: Redis, chatty: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = started(2)
    seat = Seat.objects.filter(table__game=made.pk)[0]
    stream = f"tournamentchat:{made.pk}"
    client = site.client(seat.user)
    client.follow(stream)
    assert writes(client, stream, "hello")["type"] == "result"
    monkeypatch.setattr("tables.chat.seats.is_quiet", lambda state, user: user == seat.user_id)
    assert fenced.peek(house, seat.table_id) is not None
    assert writes(client, stream, "I have aces")["code"] == "chat_all_in"
    assert stored() == ["hello"]


def test_the_page_of_a_tournament_has_its_chat(
    visit: Visit, site: Site, room: Redis, chatty: LazySettings
) -> None:
    made = course.offer(4, 3)
    [player, *_] = course.fill(made)
    stream = f"tournamentchat:{made.pk}"
    address = reverse("tournament", args=[made.pk])
    page, visitor = visit(player, address, PHONE), visit(None, address)
    expect(visitor.locator(".chat-lines")).to_be_visible()
    page.locator(".chat-box").fill("good luck")
    page.keyboard.press("Enter")
    expect(visitor.locator(".chat-lines li")).to_contain_text("good luck")
    assert visitor.locator(".chat-form").is_hidden()
    page.locator("#tab-players").click()
    expect(page.locator("#tab-players")).to_have_attribute("aria-current", "page")
    expect(page.locator(".chat-box")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert stream and stored() == ["good luck"]


def test_the_page_of_a_club_has_its_chat_for_members_alone(
    visit: Visit, house: Redis, chatty: LazySettings
) -> None:
    club = make_club()
    address = reverse("club", args=[club.slug])
    page, outsider = visit(join(club, "Mia"), address), visit(person("Stan"), address)
    page.locator(".chat-box").fill("pizza at eight")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".chat-lines li.own")).to_contain_text("pizza at eight")
    assert outsider.locator("#chat-part").count() == 0
    page.get_by_role("button", name="Turn off").click()
    page.reload()
    page.get_by_role("button", name="Chat off").click()
    expect(page.locator(".chat-lines li")).to_have_count(1)
