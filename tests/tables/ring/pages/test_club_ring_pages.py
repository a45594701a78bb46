"""Managers open and run the ring games of their club, and no others."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Club, ClubAuditRow, ClubRole
from config import limits
from tables.models import Table
from tables.ring.models import Jackpot, RakeTable, RingAuditRow, RingGame, RingSession
from tables.ring.sessions import operating, sit_down
from tests.accounts.browsers import browser
from tests.accounts.clubs.cast import club_of, join, person
from tests.tables.ring.pages import floor
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db

TERMS = {
    "name": "Thursday",
    "watched_by": "members",
    "variant": "holdem",
    "limit": "no_limit",
    "small_blind": "0.50",
    "big_blind": "1,00",
    "ante_kind": "none",
    "seats_max": "6",
    "buy_in_min": "40",
    "buy_in_max": "100.00",
    "tables_min": "1",
    "tables_max": "2",
} | dict.fromkeys((name for name in operating.TIMES if name != "wait_ms"), "30")


@pytest.fixture
def club() -> Club:
    return club_of(person("Olga"))


@pytest.fixture
def manager(club: Club) -> Client:
    return browser(join(club, person("Olga"), "Max", ClubRole.MANAGER))


def game_of(club: Club, **terms: object) -> RingGame:
    return floor.ring_game(club=club, watched_by="members", **terms)


def test_a_manager_opens_a_game_in_money_and_seconds(club: Club, manager: Client) -> None:
    page = reverse("club_ring_new", args=[club.slug])
    shown = manager.get(page).content.decode()
    assert 'name="watched_by"' in shown and 'name="rake_table"' in shown
    for name in ("jackpots", "entry_level", "rapid", "pool_min", "wait_ms"):
        assert f'name="{name}"' not in shown
    rake = RakeTable.objects.order_by("pk")[0]
    answer = manager.post(page, TERMS | {"rake_table": str(rake.pk), "action_ms": "12.5"})
    game = RingGame.objects.get()
    assert answer["Location"] == reverse("club_ring", args=[club.slug, game.pk])
    assert (game.club, game.watched_by, game.name) == (club, "members", "Thursday")
    assert (game.small_blind, game.buy_in_max, game.action_ms) == (50, 100_00, 12_500)
    assert game.rake_table == rake and not game.rapid
    assert Table.objects.filter(director="ring", game=game.pk).count() == 1
    row = ClubAuditRow.objects.get(action="ring_game")
    assert (row.actor, row.details["game"]) == (person("Max"), game.pk)
    listed = manager.get(reverse("club", args=[club.slug])).content.decode()
    assert "Thursday" in listed and reverse("club_ring", args=[club.slug, game.pk]) in listed


def test_a_game_without_buy_ins_takes_the_usual_ones(club: Club, manager: Client) -> None:
    page = reverse("club_ring_new", args=[club.slug])
    assert "Empty: 40 big blinds." in manager.get(page).content.decode()
    for least, most, found in (
        ("", "", (40_00, 100_00)),
        ("50", "", (50_00, 100_00)),
        ("150", "", (150_00, 150_00)),
        ("", "20", (20_00, 20_00)),
    ):
        answer = manager.post(page, TERMS | {"buy_in_min": least, "buy_in_max": most})
        assert answer.status_code == 302, (least, most)
        game = RingGame.objects.order_by("-pk")[0]
        assert (game.buy_in_min, game.buy_in_max) == found


WRONG: tuple[dict[str, str], ...] = (
    {"name": ""},
    {"name": "Thurs\u202eday"},
    {"name": "x" * 61},
    {"watched_by": "invited"},
    {"variant": "whist"},
    {"big_blind": "0.20"},
    {"buy_in_min": "200"},
    {"buy_in_min": "0"},
    {"buy_in_min": "", "buy_in_max": "0"},
    {"buy_in_min": "", "buy_in_max": "", "big_blind": "0", "small_blind": "0"},
    {"buy_in_min": "", "buy_in_max": "", "big_blind": "9999999"},
    {"buy_in_max": "9999999999999999999"},
    {"buy_in_max": "20000000"},
    {"buy_in_max": "1e999999"},
    {"small_blind": "-1"},
    {"seats_max": "11"},
    {"tables_max": "11"},
    {"tables_max": "99999"},
    {"tables_min": "3"},
    {"action_ms": "soon"},
    {"action_ms": "0"},
    {"sit_out_ms": "86401"},
    {"sit_out_ms": "9999999999"},
    {"rake_table": "99999"},
)


def test_wrong_terms_open_no_game(club: Club, manager: Client) -> None:
    for wrong in WRONG:
        answer = manager.post(reverse("club_ring_new", args=[club.slug]), TERMS | wrong)
        assert answer.status_code == 200 and answer.context["form"].errors, wrong
    assert not RingGame.objects.exists() and not Table.objects.exists()
    assert not ClubAuditRow.objects.filter(action="ring_game").exists()


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"rapid": True, "straddle": False}, "club_pool"),
        ({"jackpots": ("smart",)}, "club_jackpot"),
        ({"entry_level": True}, "club_credit"),
        ({"tables_max": limits.CLUB_RING_TABLES_MAX + 1}, "club_tables"),
    ],
)
def test_promises_of_the_room_are_refused(club: Club, terms: dict[str, object], code: str) -> None:
    assert Jackpot.objects.filter(kind="smart").exists()
    refused(code, lambda: game_of(club, **terms))


def test_options_of_the_room_that_are_posted_are_ignored(club: Club, manager: Client) -> None:
    kind = Jackpot.objects.get(kind="smart").pk
    given = TERMS | {"rapid": "on", "entry_level": "on", "jackpots": str(kind), "state": "closed"}
    manager.post(reverse("club_ring_new", args=[club.slug]), given)
    game = RingGame.objects.get()
    assert not (game.rapid or game.entry_level or game.jackpots.exists())
    assert game.state == RingGame.State.OPEN


def test_a_club_has_a_bounded_number_of_games(club: Club, manager: Client) -> None:
    games = [game_of(club) for _ in range(limits.CLUB_RING_GAMES_MAX)]
    page = reverse("club_ring_new", args=[club.slug])
    assert "at most 10 ring games" in manager.post(page, TERMS).content.decode()
    assert RingGame.objects.count() == len(games)
    RingGame.objects.filter(pk=games[0].pk).update(state=RingGame.State.CLOSED)
    assert manager.post(page, TERMS).status_code == 302


def test_a_manager_runs_the_game_with_reasons(club: Club, manager: Client) -> None:
    game = game_of(club, tables_max=2)
    player = floor.player("Ada")
    join(club, person("Olga"), "Ada")
    session = sit_down.sit(player, game.pk, amount=floor.LEAST)

    def take(step: str, **given: str) -> None:
        address = reverse("club_ring_step", args=[club.slug, game.pk, step])
        assert manager.post(address, given).status_code == 302

    page = reverse("club_ring", args=[club.slug, game.pk])
    assert "Ada" in manager.get(page).content.decode()
    take("freeze")
    take("kick", session=str(session.pk), reason=" ")
    assert not RingAuditRow.objects.exists(), "nothing happens without a reason"
    take("open_table", reason="Full")
    take("open_table", reason="Fuller")
    take("freeze", reason="Pizza")
    assert "Go on" in manager.get(page).content.decode()
    take("unfreeze", reason="Eaten")
    take("kick", session=str(session.pk), reason="Rude")
    take("kick", session="9" * 30, reason="Rude")
    take("close", reason="Late")
    rows = RingAuditRow.objects.order_by("pk")
    assert list(rows.values_list("action", flat=True)) == [
        *("open_table", "freeze", "unfreeze", "kick", "close"),
    ]
    assert {row.actor for row in rows} == {person("Max")}
    game.refresh_from_db()
    session.refresh_from_db()
    assert game.state == RingGame.State.CLOSING and session.leaving
    assert manager.get(page).status_code == 200


def test_nobody_else_runs_it_and_managers_run_no_other_game(club: Club, manager: Client) -> None:
    game, of_the_room = game_of(club), floor.ring_game(name="Of the room")
    other = club_of(person("Otto"), "Turn Toads")
    foreign = game_of(other, name="Foreign")
    elsewhere = floor.seated(of_the_room, "Ben")
    session = RingSession.objects.get(user=elsewhere)
    wrong = {"reason": "x", "session": str(session.pk)}
    addresses = [reverse("club_ring", args=[club.slug, game.pk])]
    steps = ("freeze", "close", "open_table", "kick")
    addresses += [reverse("club_ring_step", args=[club.slug, game.pk, step]) for step in steps]
    addresses.append(reverse("club_ring_new", args=[club.slug]))
    for user in (join(club, person("Olga"), "Mia"), person("Stan"), person("Otto")):
        for address in addresses:
            assert browser(user).post(address, TERMS | wrong).status_code in (404, 405), address
    for row in (foreign, of_the_room):
        for step in steps:
            address = reverse("club_ring_step", args=[club.slug, row.pk, step])
            assert manager.post(address, wrong).status_code == 404
    kick = reverse("club_ring_step", args=[club.slug, game.pk, "kick"])
    assert manager.post(kick, wrong).status_code == 302
    burn = reverse("club_ring_step", args=[club.slug, game.pk, "burn"])
    assert manager.post(burn, wrong).status_code == 404
    assert not RingAuditRow.objects.exists()
    assert set(RingGame.objects.values_list("state", "frozen")) == {("open", False)}
    session.refresh_from_db()
    assert not session.leaving
