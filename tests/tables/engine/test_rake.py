"""Rake of a ring hand: by table, after the hand or after every street (R-02)."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from tables.engine.rake_tables import (
    HOLDEM,
    OMAHA,
    RakedGame,
    RakeRow,
    RakeTableRefusal,
    check_rows,
    rake_of,
)
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


ANY = RakeRow(None, None, None, 2, 10, -1, None, 250, 0, 300)
NAMES = st.sampled_from((None, "a", "b"))
ROWS = st.builds(
    lambda names, players, blinds: RakeRow(
        names[0],
        names[1],
        names[2],
        min(players),
        max(players),
        min(blinds),
        max(blinds) + 1,
        250,
        0,
        300,
    ),
    st.tuples(NAMES, NAMES, NAMES),
    st.tuples(st.integers(2, 10), st.integers(2, 10)),
    st.tuples(st.integers(-1, 3), st.integers(0, 3)),
)
GAMES = [
    RakedGame(variant, currency, limit, players, small_blind)
    for variant, currency, limit in product("ab", repeat=3)
    for players in range(2, 11)
    for small_blind in range(6)
]


@pytest.mark.rule("R-02")
@given(st.lists(ROWS, max_size=4).map(lambda rows: [*rows, ANY]), st.randoms())
def test_accepted_rows_decide_every_game_in_any_order_and_refused_ones_name_a_game(
    rows: list[RakeRow], random: Random
) -> None:
    rows = [replace(row, maximum=300 + place) for place, row in enumerate(rows)]
    shuffled = random.sample(rows, len(rows))
    refused = None
    try:
        check_rows(rows)
    except RakeTableRefusal as refusal:
        refused = refusal
    if refused is None:
        assert all(rake_of(rows, game) == rake_of(shuffled, game) for game in GAMES)
    else:
        one, other = (rows[place] for place in refused.rows)
        assert refused.code == "rows_overlap"
        assert any(rake_of([one], game) and rake_of([other], game) for game in GAMES)


@pytest.mark.rule("R-02")
def test_the_most_special_row_wins_and_the_default_is_last() -> None:
    holdem = replace(ANY, variant="holdem", maximum=2)
    headsup = replace(holdem, players_max=2, maximum=1)
    rows = (ANY, holdem, headsup)
    check_rows(rows)
    taken = [
        rake_of(rows, game)
        for game in (replace(EUROS, variant="stud"), EUROS, replace(EUROS, players=2))
    ]
    assert [rake.maximum for rake in taken if rake] == [300, 2, 1]


@pytest.mark.rule("R-02")
def test_the_tables_of_the_rules_are_accepted() -> None:
    for rows in (HOLDEM, OMAHA, (*OMAHA, *HOLDEM)):
        check_rows(rows)


@pytest.mark.rule("R-02")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"basis_points": 10_001}, "bad_share"),
        ({"basis_points": -1}, "bad_share"),
        ({"minimum": 301}, "bad_minimum"),
        ({"minimum": -1}, "bad_minimum"),
        ({"players_min": 1}, "bad_players"),
        ({"players_min": 5, "players_max": 4}, "bad_players"),
        ({"players_max": 11}, "bad_players"),
        ({"small_blind_over": 50, "small_blind_upto": 50}, "bad_small_blinds"),
    ],
)
def test_impossible_rows_are_refused_by_their_place(changes: dict[str, int], code: str) -> None:
    with pytest.raises(RakeTableRefusal) as refused:
        check_rows((ANY, replace(ANY, variant="holdem", **changes)))
    assert (refused.value.code, refused.value.rows) == (code, (1,))


@pytest.mark.rule("R-02")
def test_a_rake_below_its_minimum_is_not_taken() -> None:
    """The example of the rules: 5 % with a minimum of $1 leaves pots below $20 alone."""
    options = Options(rake=Rake(500, 100, 10_000))
    for half_pot, expected in ((999, 0), (1_000, 100), (2_000, 200)):
        hand = scene({1: half_pot, 2: half_pot}, options=options)
        hand.does((1, Raise(half_pot)), (2, Call()))
        assert hand.result().rake == expected


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
