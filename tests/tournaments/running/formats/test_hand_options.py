"""Hand settings of an offer reach the tables, the simulation and the Rules tab."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client
from redis import Redis

from tables.dealer import director
from tables.dealer.grants import Grant
from tables.engine import events
from tables.models import Hand, Table
from tables.records import stored
from tests.tournaments.cast import Arena, offer, passive, started, structure
from tests.tournaments.seating.short_tables import thin_out
from tournaments.models import Tournament
from tournaments.refusals import BadSpec
from tournaments.schedule import options
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun

SAID = {
    "first_button": "Each table finds its first button by lot.",
    "s0_order": "heads-up the button posts the big blind.",
    "cap_lift": "once two players are left in the tournament.",
    "muck_secret": "nobody can look them up after the hand.",
}
WANTED: dict[str, Any] = {
    "first_button": "random",
    "s0_order": True,
    "cap_lift": "event",
    "muck_secret": True,
}


def granted(hand: int = 1) -> Grant:
    """Permission of the only table for its next hand."""
    said = director.of("tournament").next(Table.objects.get().pk, hand)
    assert isinstance(said, Grant)
    return said


def test_by_default_hands_are_played_by_the_rules(house: Redis) -> None:
    started(3)
    given = granted()
    assert given.rules.options == events.Options()
    assert given.draw_button and not given.button_by_lot


@pytest.mark.rule("S-03")
@pytest.mark.rule("H-11")
@pytest.mark.rule("C-04")
def test_the_settings_of_a_hand_are_granted_and_kept_with_it(house: Redis) -> None:
    tournament = started(2, first_button="random", s0_order=True, muck_secret=True)
    given = granted()
    assert given.rules.options == events.Options(muck_secret=True, s0_order=True)
    assert given.draw_button and given.button_by_lot
    arena = Arena(tournament.pk)
    arena.choose = passive
    arena.hand(arena.tables()[0])
    kept = stored.decode(bytes(Hand.objects.get().record)).setup
    assert kept.rules.options == given.rules.options
    assert kept.positions.big_blind == kept.positions.button


@pytest.mark.rule("B-03")
def test_the_cap_on_raises_falls_when_the_event_is_down_to_two(house: Redis) -> None:
    tournament = started(4, limit="fixed_limit", cap_lift="event")
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert granted().rules.options == events.Options(cap_lift="event")
    arena.hand(arena.tables()[0])
    thin_out(Table.objects.get(), 2)
    assert granted(2).rules.options == events.Options(cap_lift="event", event_heads_up=True)


@pytest.mark.rule("B-03")
def test_two_at_one_of_several_tables_are_not_the_end_of_the_event(house: Redis) -> None:
    started(4, seats_per_table=2, limit="fixed_limit", cap_lift="event")
    for table in Table.objects.all():
        said = director.of("tournament").next(table.pk, 1)
        assert isinstance(said, Grant) and len(said.roster) == 2
        assert not said.rules.options.event_heads_up


@pytest.mark.rule("T-05")
def test_the_settings_are_options_of_an_offer_and_wrong_ones_are_refused() -> None:
    assert options.read(WANTED) == WANTED
    for wrong in ({"cap_lift": "never"}, {"first_button": "coin"}, {"s0_order": "yes"}):
        with pytest.raises(BadSpec):
            options.read(wrong)


@pytest.mark.rule("T-05")
def test_the_rules_tab_lists_the_settings_other_than_default(house: Redis, client: Client) -> None:
    def told(tournament: Tournament) -> set[str]:
        page = client.get(f"/tournaments/{tournament.pk}/?tab=rules").content.decode()
        return {name for name, words in SAID.items() if words in html.unescape(page)}

    assert told(offer(limit="fixed_limit")) == set()
    assert told(offer(limit="fixed_limit", **WANTED)) == set(SAID)
    assert told(offer(**WANTED)) == set(SAID) - {"cap_lift"}, "there is a cap in fixed limit only"
    stud = offer(structure=structure("stud"), variant="stud", limit="fixed_limit", **WANTED)
    assert told(stud) == set(SAID) - {"s0_order"}, "stud has no blinds"


@pytest.mark.rule("B-03")
@pytest.mark.rule("H-11")
def test_a_simulated_tournament_plays_by_the_same_settings() -> None:
    wanted = {name: value for name, value in WANTED.items() if name != "first_button"}
    course = SimulationRun(
        validate_simulation(SimulationOptions(players=3, limit="fixed_limit", **wanted)), 1
    )
    found = []
    play = course.play

    def watched(table: Any) -> None:
        left = course.field.left
        play(table)
        found.append((left, table.playing.rules.options, table.positions))

    course.play = watched  # type: ignore[method-assign]
    course.run()
    assert {left for left, *_ in found} == {2, 3}
    for left, said, positions in found:
        assert said == events.Options(
            muck_secret=True, cap_lift="event", event_heads_up=left == 2, s0_order=True
        )
        assert (positions.big_blind == positions.button) == (left == 2)
