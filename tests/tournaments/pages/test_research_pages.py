"""Pages, files, streams and answers of a research room say that it is one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from redis import Redis

from accounts.models import User
from accounts.research.refusals import NoPeople
from accounts.users import bots
from tables.history.exports import ohh, phh
from tables.history.exports.rows import exported
from tables.models import Hand, Seat, Table
from tables.seeds import marking
from tables.workers import advance
from tests.deploy.cluster import held_pages
from tests.tables import playing
from tests.tables.seeds.research_room import research_room
from tests.tournaments.api.asking import get, post, refused, token
from tests.tournaments.cast import started
from tournaments import locks
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.overlays.linking import make_link
from tournaments.streams import snapshots

pytestmark = pytest.mark.django_db(transaction=True)

BANNER = "Bots alone play here."
GERMAN = "Hier spielen nur Bots."


@pytest.fixture
def research(house: Redis) -> Iterator[Tournament]:
    """A research room with its operator, and a tournament of three bots after one hand."""
    User.objects.create_superuser("operator", "three blind mice")
    with research_room():
        yield _played(house)


def _played(room: Redis) -> Tournament:
    made = started(
        3,
        players_max=3,
        bots="only",
        hand_pause_ms=0,
        cards_up="everybody",
        cards_up_delay_ms=60_000,
        cards_up_final_ms=120_000,
    )
    [table] = Table.objects.filter(game=made.pk).values_list("pk", flat=True)
    state = playing.run(room, table)
    while not Hand.objects.exists():
        playing.check_or_call(room, state)
        advance.advance(room, table)
        state = playing.run(room, table)
    return made


def _browser(language: str, *, operator: bool) -> Client:
    client = Client(headers={"Accept-Language": language})
    if operator:
        client.force_login(User.objects.get(name="operator"))
    return client


def _whole_pages(client: Client, made: Tournament) -> dict[str, str]:
    """Text of each address that answers a visitor with a whole page."""
    hand = Hand.objects.select_related("table").get()
    entry = Entry.objects.order_by("pk")[0]
    known = held_pages.Hand(made.pk, hand.table_id, hand.number, entry.pk, entry.name[:5], "none")
    pages: dict[str, str] = {}
    for address in (way for way in held_pages.site(known) if way.startswith("/")):
        answer: Any = client.get(address)
        if answer.status_code == 200 and not answer.streaming:
            text = answer.content.decode(errors="replace")
            if "<html" in text:
                pages[address] = text
    return pages


def test_every_page_says_so(research: Tournament) -> None:
    for operator in (False, True):
        pages = _whole_pages(_browser("en", operator=operator), research)
        assert len(pages) >= (50 if operator else 25), sorted(pages)
        assert [address for address, text in pages.items() if BANNER not in text] == []
    assert GERMAN in _browser("de", operator=False).get("/").content.decode()


def test_the_overlay_and_the_admin_say_so(research: Tournament) -> None:
    operator = User.objects.get(name="operator")
    _, text = make_link(research.pk, operator, name="stream", theme="dark")
    for address in (f"/overlay/{text}/", "/admin/", "/admin/tournaments/tournament/"):
        page = _browser("en", operator=True).get(address).content.decode()
        assert "Research room" in page, address


def test_the_shield_says_that_there_is_no_proof(research: Tournament) -> None:
    hand = Hand.objects.get()
    address = f"/tables/{hand.table_id}/hands/{hand.number}/"
    assert f'href="{address}fair/"' in Client().get(address).content.decode()
    page = Client().get(f"{address}fair/").content.decode()
    assert "No proof: this is a research room." in page
    assert Client().get(f"{address}proof.json").status_code == 404


def test_exports_answers_and_streams_say_so(research: Tournament) -> None:
    row = exported(Hand.objects.select_related("table").get(), None)
    assert "_research = true" in phh.written(row)
    assert phh.fields(row)["_research"] is True
    assert json.loads(ohh.written(row))["ohh"]["_research"] is True
    own = token(bots.create(1)[0], "watch", "hands:own")
    assert get(f"/tournaments/{research.pk}", own).json()["research"] is True
    [hand] = get("/hands", own).json()["items"]
    assert hand["research"] is True
    text = get(f"/hands/{hand['id']}", own).content.decode()
    assert json.loads(text)["_research"] is True
    assert snapshots._tournament(f"tournament:{research.pk}").research is True
    assert snapshots._lobby("lobby").research is True


def test_operators_of_a_research_room_cannot_play(research: Tournament) -> None:
    operator = User.objects.get(name="operator")
    other = started(2, players_max=3)
    for entered in (research.pk, other.pk):
        with pytest.raises(NoPeople):
            registration.register(operator, entered)
    with pytest.raises(NoPeople):
        registration.register_for(operator, other, actor=operator, reason="to see")
    own = token(operator, "play")
    refused(post(f"/tournaments/{other.pk}/entries", own, {}, "once"), 409, "research_room")
    assert not Entry.objects.filter(user=operator).exists()
    assert not Seat.objects.filter(user=operator).exists()


def test_the_seed_of_a_tournament_is_given_by_command_before_it_starts(
    research: Tournament,
) -> None:
    from django.core.management import CommandError, call_command

    for words, why in (
        ((str(research.pk), "1"), "another seed"),
        ((str(research.pk), "one"), "whole number"),
        (("999999", "1"), "no game of this number"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("deal_seed", *words)
    assert set(marking.seeds_of(locks.DIRECTOR, [research.pk, 999999])) == {research.pk}


def test_other_rooms_say_nothing_of_research(house: Redis) -> None:
    made = _played(house)
    row = exported(Hand.objects.select_related("table").get(), None)
    assert "_research" not in phh.written(row) and "_research" not in ohh.written(row)
    own = token(bots.create(1)[0], "watch")
    assert get(f"/tournaments/{made.pk}", own).json()["research"] is False
    assert "research" not in Client().get("/").content.decode()
