"""Whole fields stay balanced under any order of busts, from 2 players to 3,000."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import size
from tests.tournaments.engine.field_model import Field


def play_to_the_end(field: Field, *, checks_every: int, bust_rate: float, late: int = 0) -> None:
    """Finish hands at random tables; regularly let every table finish a quiet hand."""
    step = 0
    for table in list(field.tables.values()):
        field.ask(table)
    while field.players_left > 1:
        step += 1
        assert step < 200_000, "a field plays down to a winner"
        table = field.lot.choice(list(field.tables.values()))
        if table.in_hand:
            busts = sum(field.lot.random() < bust_rate for _ in range(field.seats - 1))
            field.finish_hand(table, busts)
        if field.players_left == 1:
            return
        if table.number in field.tables:
            field.ask(table)
        if field.entries_open and field.entered < late and field.lot.random() < 0.2:
            field.enter_late()
        elif field.entries_open and field.entered >= late and field.lot.random() < 0.02:
            field.entries_open = False
        if step % checks_every == 0:
            field.everybody_finishes_a_hand()
            field.everybody_deals()


@pytest.mark.rule("T-08")
@given(
    players=st.integers(2, 60),
    seats=st.integers(2, 10),
    seed=st.integers(0, 2**32),
    bust_rate=st.sampled_from([0.02, 0.1, 0.4, 0.9]),
)
@settings(max_examples=size(15, 40))
def test_a_small_field_is_balanced_after_every_table_finished_a_hand(
    players: int, seats: int, seed: int, bust_rate: float
) -> None:
    field = Field(players, seats, seed)
    play_to_the_end(field, checks_every=6, bust_rate=bust_rate)
    assert len(field.tables) == 1


@pytest.mark.rule("T-08")
@pytest.mark.rule("E-01")
@given(
    players=st.integers(2, 40),
    late=st.integers(0, 40),
    seats=st.integers(2, 10),
    seed=st.integers(0, 2**32),
    bust_rate=st.sampled_from([0.02, 0.1, 0.4]),
)
@settings(max_examples=size(15, 40))
def test_a_field_with_late_entries_is_balanced_too(
    players: int, late: int, seats: int, seed: int, bust_rate: float
) -> None:
    field = Field(players, seats, seed, entries_open=True)
    play_to_the_end(field, checks_every=6, bust_rate=bust_rate, late=players + late)


@pytest.mark.rule("T-08")
@pytest.mark.parametrize(
    ("players", "seats", "bust_rate"), [(3_000, 9, 0.05), (1_000, 6, 0.3), (800, 10, 0.02)]
)
def test_a_big_field_needs_few_moves_for_each_bust(
    players: int, seats: int, bust_rate: float
) -> None:
    field = Field(players, seats, seed=players)
    play_to_the_end(field, checks_every=500, bust_rate=bust_rate)
    assert field.busts == players - 1
    moves = field.balancing_moves + field.closing_moves + field.final_moves
    per_bust = moves / field.busts
    sys.stdout.write(
        f"{players} players, {seats} seats: {field.hands} hands, {moves} moves "
        f"({field.balancing_moves} balancing, {field.closing_moves} closing, "
        f"{field.final_moves} final), {per_bust:.2f} per bust\n"
    )
    assert field.closing_moves <= 1.1 * players, "about one player goes with each seat closed"
    assert per_bust < 2.0
