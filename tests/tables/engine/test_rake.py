"""Rake of a ring hand: by table, after the hand or after every street (R-02)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tables.engine.actions import Action, Bet, Call, Check, Fold, Raise
from tables.engine.events import (
    BetMade,
    Called,
    Checked,
    Folded,
    HandEvent,
    Options,
    Posted,
    PotAwarded,
    Raised,
    Rake,
    RakeTaken,
)
from tables.engine.rake_tables import HOLDEM, OMAHA, RakedGame, rake_of
from tests.tables.engine.plays import random_play
from tests.tables.engine.scene import Scene, scene

EUROS = RakedGame("holdem", "EUR", "no_limit", players=6, small_blind=50)


@pytest.mark.rule("R-02")
@pytest.mark.parametrize(
    ("limit", "players", "small_blind", "minimum", "maximum"),
    [
        ("fixed_limit", 9, 50, 0, 300),
        ("fixed_limit", 2, 51, 2, 300),
        ("fixed_limit", 10, 1_000, 2, 300),
        ("fixed_limit", 6, 1_001, 0, 300),
        ("pot_limit", 2, 100, 0, 100),
        ("pot_limit", 5, 100, 0, 200),
        ("no_limit", 3, 5_000, 0, 100),
        ("no_limit", 4, 5_000, 0, 200),
        ("no_limit", 6, 1, 0, 300),
        ("no_limit", 10, 1, 0, 300),
        ("spread_limit", 2, 1, 0, 300),
    ],
)
def test_holdem_pays_by_the_first_table(
    limit: str, players: int, small_blind: int, minimum: int, maximum: int
) -> None:
    game = replace(EUROS, limit=limit, players=players, small_blind=small_blind)
    assert rake_of(HOLDEM, game) == Rake(250, minimum, maximum)


@pytest.mark.rule("R-02")
@pytest.mark.parametrize(("players", "maximum"), [(2, 100), (3, 100), (4, 200), (5, 200), (6, 300)])
def test_pot_limit_omaha_pays_by_the_second_table(players: int, maximum: int) -> None:
    game = replace(EUROS, variant="omaha", limit="pot_limit", players=players)
    assert rake_of(OMAHA, game) == Rake(250, 0, maximum)
    assert rake_of((*OMAHA, *HOLDEM), replace(game, limit="no_limit")) == Rake(250, 0, 300)


@pytest.mark.rule("R-02")
def test_a_game_without_a_row_pays_nothing_and_settings_go_with_the_row() -> None:
    assert rake_of(OMAHA, EUROS) is None
    assert rake_of(HOLDEM, replace(EUROS, currency="USD")) is None
    taken = rake_of(HOLDEM, EUROS, no_flop_no_drop=True, per_street=True)
    assert taken == Rake(250, 0, 300, no_flop_no_drop=True, per_street=True)


def action_of(event: HandEvent) -> Action | None:
    """Action of the seat, from the events; None without an action."""
    match event:
        case Folded():
            return Fold()
        case Checked():
            return Check()
        case Called() | Posted(kind="bring_in"):
            return Call()
        case BetMade(_, amount):
            return Bet(amount)
        case Raised(_, to):
            return Raise(to)
    return None


@pytest.mark.rule("R-02")
def test_rake_per_street_sums_to_the_rake_after_the_hand() -> None:
    raked = 0
    for seed in range(400):
        told = random_play(seed)
        rake = told.setup.rules.options.rake
        if rake is None or told.setup.rules.limit == "pot_limit":
            continue
        taken = []
        for per_street in (False, True):
            options = replace(told.setup.rules.options, rake=replace(rake, per_street=per_street))
            rules = replace(told.setup.rules, options=options)
            hand = Scene(replace(told.setup, rules=rules))
            for event in told.events:
                if action := action_of(event):
                    hand.does((event.seat, action))  # type: ignore[union-attr]
            on_streets = sum(event.amount for event in hand.all(RakeTaken))
            assert on_streets == (hand.result().rake if per_street else 0)
            taken.append((hand.result().rake, hand.stacks()))
        assert taken[0] == taken[1]
        raked += taken[0][0] > 0
    assert raked > 50


@pytest.mark.rule("R-02")
def test_no_flop_no_drop_takes_nothing_before_the_flop_is_bet() -> None:
    rake = Rake(1_000, 0, 500, no_flop_no_drop=True, per_street=True)
    hand = scene({1: 1000, 2: 1000}, options=Options(rake=rake))
    hand.does((1, Raise(300)), (2, Call()))
    assert not hand.all(RakeTaken)
    hand.does((2, Check()), (1, Check()))
    assert [event.amount for event in hand.all(RakeTaken)] == [60]
    hand.does((2, Bet(100)), (1, Fold()))
    assert hand.result().rake == 60
    assert [(award.amount, award.rake) for award in hand.all(PotAwarded)] == [(600, 60)]
