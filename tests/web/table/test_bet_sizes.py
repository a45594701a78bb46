"""Sizes that the page offers for a bet are those of the rules."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from tables.dealer.state import TableState
from tables.engine.betting import legal_actions
from tables.engine.events import Stakes
from tables.engine.state import Rules
from tests.tables import playing, stages
from tests.tables.whole_state import snapshot
from tests.web.browsing import page

__all__ = ["page"]

STUD = Stakes(small_blind=0, big_blind=0, ante=10, ante_kind="per_seat", bring_in=15, small_bet=40)
DEEP = 10**12
"""Chips of a seat in a hand without an all-in."""

_PRESETS = """
async (tables) => {
  const { presets } = await import('/static/js/state/bet_sizes.js');
  return tables.map((table) =>
    Object.fromEntries(presets(table, table.turn.option).map(({ key, to }) => [key, to])));
}
"""


@pytest.mark.rule("B-02", "D-02")
def test_the_pot_of_the_presets_is_the_most_of_pot_limit(page: Page) -> None:
    found = [turn for seed in range(6) for turn in _decisions(seed)]
    assert {state.hand.street for state in found if state.hand} == {
        *("third", "fourth", "fifth", "sixth", "seventh")
    }
    shown = page.evaluate(_PRESETS, [_plain(state) for state in found])
    for state, sizes in zip(found, shown, strict=True):
        assert state.hand is not None and state.turn is not None
        option = legal_actions(state.hand, state.turn.seat)
        assert sizes["pot"] == sizes["most"] == (option.bet_max or option.raise_max)


def _decisions(seed: int) -> list[TableState]:
    """Decisions of a hand of stud at which the seat to act may bet or raise."""
    chance = random.Random(seed)
    state = stages.dealt(
        stages.roster(*[DEEP] * 4), seed=seed, rules=Rules("stud", "pot_limit", STUD)
    )
    found = []
    for number in range(40):
        if state.hand is None or state.turn is None:
            break
        option = legal_actions(state.hand, state.turn.seat)
        if option.bet_max or option.raise_max:
            found.append(state)
        command = playing.choose(state, chance, number)
        if command.action == "fold" and number < 30:
            command = stages.act(state, "call")
        state, _ = stages.at(state, stages.START_MS, stages.by_actor(state, command), seed=seed)
    return found


def _plain(state: TableState) -> Any:
    return msgspec.json.decode(msgspec.json.encode(snapshot(state, None)))
