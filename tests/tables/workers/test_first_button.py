"""First button of a table: by cards drawn face up, or by a lot that shows none."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from tables.dealer import boundary
from tables.engine.events import HandBegan
from tables.engine.positions import draw_button
from tables.wire.table_events import ButtonDrawn, TableEvent
from tests.tables import stages

SEATS = 4
DRAWS = 2_000


def _first_events(seed: int, *, by_lot: bool) -> tuple[TableEvent, ...]:
    """Events of the first deal of a table of four."""
    empty = stages.empty()
    given = stages.grant(empty, stages.roster(*[1_000] * SEATS))
    granted, _ = boundary.answer(
        empty, replace(given, button_by_lot=by_lot), now_ms=stages.START_MS
    )
    return stages.at(granted, stages.START_MS, seed=seed)[1]


@pytest.mark.rule("C-04")
def test_by_setting_a_fair_lot_draws_the_first_button_and_shows_no_card() -> None:
    buttons: Counter[int] = Counter()
    for seed in range(DRAWS):
        drawn, began = _first_events(seed, by_lot=True)[:2]
        assert isinstance(drawn, ButtonDrawn) and isinstance(began, HandBegan)
        assert drawn.cards == () and began.button == drawn.button
        buttons[drawn.button] += 1
    assert len(buttons) == SEATS
    # Four sigma around the expected quarter of each seat.
    assert all(abs(count - DRAWS / SEATS) < 80 for count in buttons.values())


@pytest.mark.rule("C-04")
def test_by_default_every_seat_draws_a_card_face_up() -> None:
    drawn = _first_events(1, by_lot=False)[0]
    assert isinstance(drawn, ButtonDrawn) and len(drawn.cards) == SEATS
    assert drawn.button == draw_button(dict(drawn.cards))
