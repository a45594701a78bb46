"""The rule of showing in the simulated world, where Redis may deal one hand twice."""

from __future__ import annotations

from msgspec.structs import replace

from tables.dealer.state import TableState
from tests.simulation.laws.shown_law import ShownLaw
from tests.tables import stages
from tests.tables.client_side import snapshot

PACE = replace(stages.TIMING, street_pause_ms=1_000)


def _all_in(seed: int) -> TableState:
    """Return the first hand of a table, all-in by its blinds, with the cards of this seed."""
    state = stages.dealt(stages.roster(1_000, 40), seed=seed, timing=PACE)
    assert state.phase == "run_out"
    return state


def test_hands_of_a_lost_redis_say_nothing_about_the_hand_dealt_in_its_place() -> None:
    lost, anew = _all_in(1), _all_in(2)
    law = ShownLaw(lost.table, set())
    assert not [*law.see(lost), *law.judge(snapshot(lost, None), None)]
    assert list(law.judge(snapshot(anew, None), None)), "cards that nobody may see"
    law.forget()
    assert not [*law.see(anew), *law.judge(snapshot(anew, None), None)]
    assert list(law.judge(snapshot(lost, None), None)), "cards of no hand that is dealt"


def test_a_hand_dealt_anew_is_held_to_the_rule_of_showing() -> None:
    lost = _all_in(1)
    law = ShownLaw(lost.table, set())
    assert not list(law.see(lost))
    law.forget()
    anew = stages.dealt(stages.roster(1_000, 1_000), seed=2)
    assert anew.phase == "hand"
    assert not list(law.see(anew))
    player, other = (seat.user for seat in anew.seats)
    assert not list(law.judge(snapshot(anew, player), player))
    assert list(law.judge(snapshot(anew, player), other)), "cards of a live hand"
