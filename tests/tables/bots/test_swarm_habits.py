"""Habits of bots: late arrivals, several entries, payment, answers to offers."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections import Counter
from random import Random

import msgspec
import pytest

from tables.bots import habits as ways
from tables.bots.bot import Bot, Todo
from tables.bots.client.connection import Identity, Site
from tables.bots.crowd import TOURNAMENTS_AT_ONCE, Crowd, SwarmPlan
from tables.bots.habits import Habits
from tables.bots.lobby_rows import LobbyTournament
from tables.bots.tally import Tally
from tables.management.commands.swarm import _habits


@pytest.mark.rule("E-01")
def test_the_last_bots_of_a_crowd_come_late() -> None:
    late = [number for number in range(10) if ways.comes_late(number, 10, Habits(late=30))]
    assert late == [7, 8, 9]
    assert not any(ways.comes_late(number, 10, Habits()) for number in range(10))
    assert all(ways.comes_late(number, 10, Habits(late=100)) for number in range(10))


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
def test_offers_are_bought_declined_or_left_open_by_habit() -> None:
    chance = Random(1)
    said = Counter(ways.answer(Habits(buys=60, declines=30), chance) for _ in range(2_000))
    assert 1_100 < said["buy"] < 1_300 and 500 < said["decline"] < 700 and 150 < said[""] < 250
    assert ways.answer(Habits(buys=100), chance) == "buy"
    assert ways.answer(Habits(buys=0, declines=0), chance) == ""


@pytest.mark.rule("E-02")
def test_a_bot_answers_an_offer_once_by_habit() -> None:
    bot = Bot(3, chance=Random(1), pace="fast", tally=Tally(), habits=Habits(buys=0, declines=100))
    offer = {"type": "offer_made", "tournament": 7, "offer": 5, "kind": "reentry", "id": "0-1"}

    def told() -> Todo:
        line = msgspec.json.encode({"type": "events", "stream": "user:3", "events": [offer]})
        return bot.received(line, 0.0)

    [post] = told().posts
    assert (post.path, post.body) == ("/offers/5", {"answer": "decline"})
    assert told().posts == []


@pytest.mark.rule("K-02")
def test_a_bot_pays_with_a_ticket_first_and_then_with_money() -> None:
    assert ways.payments("money", Habits()) == [{}]
    assert ways.payments("money_and_tickets", Habits()) == [{"ticket": "any"}, {}]
    assert ways.payments("ticket", Habits()) == [{"ticket": "any"}]
    assert ways.payments("money_and_tickets", Habits(tickets=False)) == [{}]
    assert ways.payments("ticket", Habits(tickets=False)) == [{}]
    known = Habits(password="sesame")
    assert ways.payments("money_and_tickets", known) == [
        {"password": "sesame", "ticket": "any"},
        {"password": "sesame"},
    ]


def _crowd(habits: Habits, bots: int = 10, tournament: int | None = 7) -> Crowd:
    identities = [Identity(user, f"bot-{user}", "key") for user in range(1, bots + 1)]
    crowd = Crowd(
        Site("http://localhost"), identities, SwarmPlan("fast", tournament, habits=habits)
    )
    crowd._connected.update(dict.fromkeys((one.name for one in identities), None))  # type: ignore[arg-type]
    return crowd


def _row(**known: object) -> LobbyTournament:
    usual = {
        "tournament": 7,
        "state": "registering",
        "start": "scheduled",
        "entrants": 0,
        "players_max": 99,
    }
    return LobbyTournament(**(usual | known))  # type: ignore[arg-type]


class _Group:
    """Group that records registrations instead of posting them."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def create_task(self, registering: object) -> None:
        self.names.append(registering.cr_frame.f_locals["identity"].name)  # type: ignore[attr-defined]
        registering.close()  # type: ignore[attr-defined]


def _register(crowd: Crowd, row: LobbyTournament) -> list[str]:
    group = _Group()
    crowd._fill(row, group)  # type: ignore[arg-type]
    for name in group.names:
        crowd._busy.discard(name)
        crowd._entered[row.tournament, name] += 1
    return group.names


def _play(crowd: Crowd, row: LobbyTournament) -> list[str]:
    """Register bots for a tournament that the lobby shows; return who is in it now."""
    crowd.scout.offers[row.tournament] = row
    names = _register(crowd, row)
    for identity, bot in crowd.bots:
        if identity.name in names:
            bot.tournaments.add(row.tournament)
    return names


def test_bots_that_wait_for_people_play_one_scheduled_tournament_meanwhile() -> None:
    crowd = _crowd(Habits(), tournament=None)
    assert len(_play(crowd, _row(tournament=1, start="sit_and_go", players_max=11))) == 10
    assert len(_play(crowd, _row(tournament=2))) == 10
    assert _play(crowd, _row(tournament=3)) == []
    assert len(_play(crowd, _row(tournament=4, start="sit_and_go", players_max=7))) == 6
    assert max(len(bot.tournaments) for _, bot in crowd.bots) == TOURNAMENTS_AT_ONCE
    assert len(_play(crowd, _row(tournament=5, start="sit_and_go", players_max=9))) == 4


def test_bots_with_fewer_tournaments_enter_first() -> None:
    crowd = _crowd(Habits(), tournament=None)
    first = _play(crowd, _row(tournament=1, start="sit_and_go", players_max=6))
    second = _play(crowd, _row(tournament=2, start="sit_and_go", players_max=6))
    assert (len(first), len(second)) == (5, 5)
    assert set(first).isdisjoint(second)


def test_bots_leave_a_seat_also_while_the_lobby_does_not_tell_their_entries() -> None:
    crowd = _crowd(Habits(), tournament=None)
    duel = _row(start="sit_and_go", players_max=2)
    assert len(_play(crowd, duel)) == 1
    assert _play(crowd, duel) == [], "the lobby still shows no entry"
    assert _play(crowd, _row(start="sit_and_go", players_max=2, entrants=1)) == []


@pytest.mark.rule("E-01")
def test_late_bots_wait_until_the_tournament_runs() -> None:
    crowd = _crowd(Habits(late=20))
    assert len(_register(crowd, _row())) == 8
    assert _register(crowd, _row()) == []
    late = _register(crowd, _row(state="running", late=True))
    assert late == ["bot-9", "bot-10"]
    sit_and_go = _row(start="sit_and_go")
    assert len(_register(_crowd(Habits(late=20)), sit_and_go)) == 10, "that habit has no late bots"


@pytest.mark.rule("E-03")
def test_bots_take_several_entries_where_allowed() -> None:
    several = _row(entries_max=3, several=True)
    taken: Counter[str] = Counter()
    crowd = _crowd(Habits(entries=3), bots=30)
    for _ in range(5):
        taken.update(_register(crowd, several))
    assert set(taken.values()) == {1, 2, 3} and len(taken) == 30
    again = _crowd(Habits(entries=3), bots=30)
    assert sum(len(_register(again, several)) for _ in range(5)) == taken.total(), "by seed"
    for row in (_row(), _row(entries_max=3)):
        one_each = _crowd(Habits(entries=3))
        assert sum(len(_register(one_each, row)) for _ in range(5)) == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"buys": 101}', "100"),
        ('{"entries": 0}', "entries"),
        ('{"deals": ["all"]}', "deals"),
        ('{"deals": []}', "deals"),
        ('{"buy": 1}', "buy"),
        ("buys=3", "habits"),
        ("[]", "habits"),
    ],
)
def test_invalid_habits_are_refused(text: str, said: str) -> None:
    with pytest.raises(ArgumentTypeError, match=said):
        _habits(text)
    assert _habits('{"buys": 100, "deals": ["icm"]}') == Habits(buys=100, deals=("icm",))
