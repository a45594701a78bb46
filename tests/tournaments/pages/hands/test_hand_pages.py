"""Finished hands on their pages: each viewer sees the permitted cards again, and no others."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import msgspec
import pytest
from django.test import Client
from msgspec.structs import replace
from redis import Redis

from accounts.models import User
from config import limits
from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.dealer.state import TableState
from tables.engine.actions import Action, Fold
from tables.engine.betting import legal_actions
from tables.engine.events import HIDDEN, CardsShown, Folded, HandBegan, HoleCardsDealt, Options
from tables.engine.visibility import view
from tables.history import replays
from tables.models import Hand, Table
from tables.records import stored
from tests.tournaments.cast import Arena, shove, started
from tests.tournaments.pages.hands.played_hands import PlayedHands, calling

pytestmark = pytest.mark.django_db(transaction=True)


def folding(state: TableState, chance: random.Random) -> Action:
    """Fold now and then, else check or call to the showdown."""
    assert state.hand is not None and state.turn is not None
    option = legal_actions(state.hand, state.turn.seat)
    return Fold() if option.fold and chance.random() < 0.3 else calling(state, chance)


def _replay(kept: HandRecord, user: int | None) -> replays.Replay:
    return replays.replay(kept, number=1, seats_max=4, user=user)


def _told(client: Client, address: str) -> dict[str, Any]:
    page = client.get(address)
    assert page.status_code == 200
    [found] = re.findall(r'<script id="replay"[^>]*>(.*?)</script>', page.content.decode())
    told: dict[str, Any] = json.loads(found)
    return told


def test_every_viewer_sees_of_a_hand_the_content_of_the_own_stream(house: Redis) -> None:
    tournament = started(9, players_max=9, seats_per_table=3)
    arena = Arena(tournament.pk, 8)
    arena.choose = shove
    arena.run()
    viewers: dict[int | None, int] = {
        None: 0,
        0: 0,
        **dict.fromkeys(tournament.entries.values_list("user", flat=True), 0),
    }
    for row in Hand.objects.all():
        kept = stored.decode(bytes(row.record))
        for user in viewers:
            own = next((s.seat for s in kept.seats if s.dealt and s.user == user), None)
            seen = _replay(kept, user)
            events = record.replay(kept.setup, kept.actions)
            assert seen.events == tuple(view(event, own) for event in events)
            assert seen.user == (user if own else None)
            dealt = [event for event in seen.events if isinstance(event, HoleCardsDealt)]
            face_up = {event.seat for event in dealt if HIDDEN not in event.cards}
            assert face_up == ({own} if own else set()), "only own cards"
            assert isinstance(seen.events[0], HandBegan) and seen.events[0].deck == ()
            viewers[user] += own is not None
    assert viewers.pop(None) == viewers.pop(0) == 0 and all(viewers.values())


@pytest.mark.rule("S-03")
def test_a_dealt_in_player_may_see_mucked_hands_of_the_showdown(house: Redis) -> None:
    played = PlayedHands(12)
    users = [seat.user for seat in played.records[0].seats]
    mucked = 0
    for kept in played.records:
        cards = {
            event.seat: event.cards
            for event in record.replay(kept.setup, kept.actions)
            if isinstance(event, HoleCardsDealt)
        }
        shown = dict(kept.result.shown)
        for user in users:
            own = next(s.seat for s in kept.seats if s.user == user)
            found = dict(_replay(kept, user).looked_up)
            assert found == {s: cards[s] for s in cards if s != own and s not in shown}
            mucked += len(found)
        for stranger in (None, 0):
            assert _replay(kept, stranger).looked_up == ()
    assert mucked > 12, "some mucked hand may be viewed"


@pytest.mark.rule("S-03")
def test_mucked_hands_stay_secret_by_setting_and_folded_ones_always(house: Redis) -> None:
    found, folded = 0, 0
    for kept in PlayedHands(30, choose=folding).records:
        options = replace(kept.setup.rules, options=Options(muck_secret=True))
        secret = replace(kept, setup=replace(kept.setup, rules=options))
        folders = _folders(kept)
        for seat in kept.seats:
            looked_up = dict(_replay(kept, seat.user).looked_up)
            assert folders.isdisjoint(looked_up)
            found += len(looked_up)
            folded += bool(looked_up) * len(folders)
            assert _replay(secret, seat.user).looked_up == ()
    assert found and folded, "hands were mucked at showdowns that others had folded before"


@pytest.mark.rule("S-02")
def test_cards_shown_after_a_hand_are_on_its_page_for_all(
    house: Redis,
) -> None:
    for kept in PlayedHands(8).records:
        users = [seat.user for seat in kept.seats]
        found = dict(_replay(kept, users[0]).looked_up)
        if not found:
            continue
        seat, cards = next(iter(found.items()))
        result = replace(kept.result, shown=(*kept.result.shown, (seat, cards)))
        later = _replay(replace(kept, result=result), users[0])
        assert later.events[-1] == CardsShown(seat=seat, cards=cards, made="")
        assert seat not in dict(later.looked_up)
        assert _replay(replace(kept, result=result), None).events[-1] == later.events[-1]
        return
    raise AssertionError("no hand was mucked")


def _plain(told: object) -> object:
    return json.loads(msgspec.json.encode(told))


def _folders(kept: HandRecord) -> set[int]:
    events = record.replay(kept.setup, kept.actions)
    return {e.seat for e in events if isinstance(e, Folded)}


def test_the_page_of_a_hand_shows_each_viewer_the_own_cards(house: Redis, client: Client) -> None:
    played = PlayedHands(2)
    kept = played.records[0]
    public = _told(client, played.address(1))
    assert public["user"] is None and public["looked_up"] == []
    assert public["start"]["number"] == 1 and public["start"]["seats_max"] == 4
    assert [seat["chips"] for seat in public["start"]["seats"]] == [1_500] * 4
    me = kept.seats[0]
    client.force_login(User.objects.get(pk=me.user))
    mine = _told(client, played.address(1))
    assert mine["user"] == me.user
    assert mine["start"] == public["start"]
    assert mine["looked_up"] == _plain(_replay(kept, me.user).looked_up)
    own = [e for e in mine["events"] if e["type"] == "hole_cards_dealt" and e["seat"] == me.seat]
    assert own and all(HIDDEN not in event["cards"] for event in own)
    assert len(mine["decisions"]) == len(kept.actions) == len(kept.notes)
    for told, played_by, note in zip(mine["decisions"], kept.actions, kept.notes, strict=True):
        assert mine["events"][told["event"]]["seat"] == told["seat"] == played_by.seat
        assert (told["at_ms"], told["made_by"]) == (note.at_ms, note.made_by)
    assert public["decisions"] == mine["decisions"]


def test_the_list_of_hands_shows_pots_winners_and_the_own_result(
    house: Redis, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "HANDS_PER_PAGE", 2)
    played = PlayedHands(3)
    last = played.records[-1]
    names = {seat.seat: seat.name for seat in last.seats}
    page = client.get(played.address())
    assert [line.number for line in page.context["lines"]] == [3, 2]
    assert b"My result" not in page.content
    [line, _] = page.context["lines"]
    assert line.pot == sum(award.amount for award in last.result.awards)
    assert line.winners == tuple(names[s.seat] for s in last.result.awards[0].winners)
    assert len(line.board) == 5 and line.own is None
    me = last.seats[0]
    client.force_login(User.objects.get(pk=me.user))
    page = client.get(played.address(), {"page": "2"})
    assert [line.number for line in page.context["lines"]] == [1]
    first = next(s for s in played.records[0].seats if s.user == me.user)
    assert page.context["lines"][0].own == first.chips - first.chips_before
    assert "My result" in page.content.decode()
    for asked in ("0", "99", "x", ""):
        assert client.get(played.address(), {"page": asked}).status_code == 200


def test_missing_hands_are_not_found_and_an_empty_list_has_a_note(
    house: Redis, client: Client
) -> None:
    played = PlayedHands(0)
    assert "No hand has been finished here yet." in client.get(played.address()).content.decode()
    for address in (played.address(1), "/tables/999/hands/", "/tables/999/hands/1/"):
        assert client.get(address).status_code == 404
    assert client.post(played.address()).status_code == 405


def test_the_pages_link_the_hands_of_their_tables(house: Redis, client: Client) -> None:
    played = PlayedHands(1)
    address = played.address()
    assert address in client.get(f"/tables/{played.table}/").content.decode()
    tab = client.get(f"/tournaments/{played.tournament.pk}/", {"tab": "tables"})
    assert address in tab.content.decode()
    Table.objects.filter(pk=played.table).update(status=Table.Status.CLOSED)
    tab = client.get(f"/tournaments/{played.tournament.pk}/", {"tab": "tables"})
    assert "1 hand<" in tab.content.decode() and address in tab.content.decode()
    assert client.get(address).status_code == 200, "hands outlive their table"
