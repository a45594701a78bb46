"""Custom limits of a structure: split limits other than 1:2 and spread limits, set, shown and
played.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tables.engine.actions import Action, Bet, Call, Check
from tables.engine.begin import begun
from tables.engine.betting import legal_actions
from tables.engine.cards import DECK
from tables.engine.decide import played
from tables.engine.positions import next_positions
from tables.engine.state import HandSetup, HandState, Player
from tests.tournaments import cast
from tests.tournaments.admin.forms import offer_form
from tournaments import words
from tournaments.engine.hand_rules import rules
from tournaments.engine.presets import PRESETS
from tournaments.models import Structure, Tournament
from tournaments.queries import levels as queries_levels
from tournaments.queries import overview
from tournaments.simulation import report
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun

HOLDEM = {"small_blind": 5, "big_blind": 10}
STUD = {"small_blind": 0, "big_blind": 0, "small_bet": 10, "bring_in": 2, "ante": 1,
        "ante_kind": "per_seat"}  # fmt: skip
OWN = {"type": "level", "big_bet": 30, "spread_max": 50, "lasts_ms": 600_000}


def levels(name: str, **level: object) -> Structure:
    """A structure of one level with 5/10, split 10/30 and spread 10-50."""
    made: Structure = Structure.objects.create(name=name, items=[OWN | level], starting_stack=1_000)
    return made


def dealt(tournament: Tournament) -> HandState:
    """First hand of a tournament among three, before its first action."""
    setup = HandSetup(
        hand=1,
        rules=rules(tournament, tournament.levels().levels[0], left=3),
        positions=next_positions(
            None, (1, 2, 3), frozenset(), button=1, blinds=tournament.variant == "holdem"
        ),
        players=tuple(Player(seat, 1_000) for seat in (1, 2, 3)),
        deck=DECK,
    )
    return begun(setup).state


@pytest.mark.parametrize(("variant", "level"), [("holdem", HOLDEM), ("stud", STUD)])
@pytest.mark.rule("B-04")
def test_a_custom_spread_bounds_every_bet(
    house: Redis, variant: str, level: dict[str, Any]
) -> None:
    made = cast.offer(
        structure=levels("spread of its own", **level), variant=variant, limit="spread_limit"
    )
    state = dealt(made)
    assert state.actor is not None
    option = legal_actions(state, state.actor)
    owed = 10 if variant == "holdem" else 0
    assert option.raise_max == owed + 50
    assert option.raise_min is not None and option.raise_min < option.raise_max


@pytest.mark.rule("B-03")
def test_a_custom_split_limit_has_its_big_bet_from_the_turn_on(house: Redis) -> None:
    made = cast.offer(structure=levels("split of its own", **HOLDEM), limit="fixed_limit")
    state = dealt(made)
    bets: list[tuple[str, int]] = []
    while state.actor is not None and len(bets) < 3:
        option = legal_actions(state, state.actor)
        if option.bet_min is not None and state.street not in [street for street, _ in bets]:
            bets.append((state.street, option.bet_min))
            action: Action = Bet(option.bet_min)
        else:
            action = Check() if option.check else Call()
        state = played(state, state.actor, action).state
    assert bets == [("flop", 10), ("turn", 30), ("river", 30)]


@pytest.mark.rule("B-03")
@pytest.mark.rule("B-04")
def test_level_page_lobby_and_admin_show_the_bets(house: Redis, client: Client) -> None:
    split = cast.offer(structure=levels("One", **HOLDEM), limit="fixed_limit")
    spread = cast.offer(structure=levels("Two", **HOLDEM), limit="spread_limit")
    plain = cast.offer(structure=levels("Three", **HOLDEM))
    assert [overview.summary(one).bets for one in (split, spread, plain)] == [
        (10, 30),
        (10, 50),
        None,
    ]
    assert words.game("holdem", "spread_limit", (10, 50)) == "Spread-Limit Hold'em 10–50"
    assert (
        queries_levels.levels(spread)[0].stakes
        == rules(spread, spread.levels().levels[0], left=9).stakes
    )
    for tournament, said in ((split, "10 / 30"), (spread, "10–50")):
        address = reverse("tournament", args=[tournament.pk])
        assert said in client.get(address, {"tab": "levels"}).content.decode()
    lobby = client.get(reverse("lobby")).content.decode()
    assert "Limit Hold&#x27;em 10/30" in lobby and "Spread-Limit Hold&#x27;em 10–50" in lobby

    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    preview = client.post(
        reverse("admin:tournaments_structure_preview"),
        {"items": json.dumps([OWN | HOLDEM]), "starting_stack": 1_000},
    ).content.decode()
    assert "split 10/30" in preview and "spread 10–50" in preview


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"big_bet": 9}, "The big bet is at least the big blind"),
        ({"spread_max": 9}, "The most of a spread is at least the big blind"),
        ({"big_bet": -1}, "lie between 0 and"),
        ({"spread_max": 10**13}, "lie between 0 and"),
        ({"big_bet": "many"}, "The levels cannot be read"),
    ],
)
@pytest.mark.rule("L-01")
def test_unplayable_bets_are_refused_beside_the_levels(
    house: Redis, client: Client, wrong: dict[str, object], said: str
) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    items = json.dumps([OWN | HOLDEM | wrong])
    sent = {"name": "Wrong", "starting_stack": 1_000, "items": items}
    answer = client.post(reverse("admin:tournaments_structure_add"), sent)
    assert said in " ".join(answer.context["adminform"].form.errors["items"])
    assert not Structure.objects.filter(name="Wrong").exists()


@pytest.mark.rule("T-05")
def test_the_presets_of_limits_can_be_offered_in_the_admin(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    spread = cast.structure("stud_spread")
    form = offer_form(
        structure_row=spread.pk, variant="stud", limit="spread_limit", seats_per_table=8
    )
    assert client.post(reverse("admin:tournaments_tournament_add"), form).status_code == 302
    made = Tournament.objects.get()
    first = rules(made, made.levels().levels[0], left=8).stakes
    assert (first.lower_bet, first.upper_bet) == (10, 50)


@pytest.mark.parametrize(
    ("variant", "limit", "structure", "sizes"),
    [
        ("holdem", "spread_limit", "spread", (10, 50)),
        ("stud", "spread_limit", "spread", (10, 50)),
        ("stud", "spread_limit", "stud_spread", (10, 50)),
        ("holdem", "fixed_limit", "split", (10, 30)),
        ("stud_hilo", "fixed_limit", "split", (10, 30)),
    ],
)
@pytest.mark.rule("B-03")
@pytest.mark.rule("B-04")
def test_custom_limits_are_simulated_to_the_end(
    variant: str, limit: str, structure: str, sizes: tuple[int, int]
) -> None:
    options = validate_simulation(
        SimulationOptions(
            players=18, seats_per_table=8, variant=variant, limit=limit, structure=structure
        )
    )
    course = SimulationRun(options, 5)
    stakes = rules(options, course.structure.levels[0], left=18).stakes
    assert (stakes.lower_bet, stakes.upper_bet) == sizes
    course.run()
    made = report.build(course, 5, [])
    assert made["pool"] == made["paid"] and made["chips_sold"] == made["chips_counted"]
    assert PRESETS[structure].starting_stack == options.starting_stack
