"""Simulation seeds with former faults: each plays to its end without a loss."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tournaments.simulation import report
from tournaments.simulation import simulation_run as runs
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun


def played(*words: str) -> str:
    """Output of a successful simulation."""
    told = StringIO()
    call_command("simulate", *words, stdout=told)
    return told.getvalue()


@pytest.mark.rule("N-04")
def test_a_busted_hunter_is_paid_only_in_cash() -> None:
    words = "--players 30 --seed 112 --options late_ends=at_left late_value=2 entries_max=3"
    told = played(*words.split(), *["bounty=500", "progressive_bp=0", "late_players=10"])
    assert "entries 89" in told and "bounties 44500" in told


@pytest.mark.rule("F-04")
def test_a_long_shootout_is_played_to_its_end() -> None:
    words = "--format shootout --players 37 --seed 297 --options seats_per_table=2"
    told = played(*words.split(), "variant=omaha5_hilo", "structure=T100", "starting_stack=1001")
    assert "pool 37000  paid 37000" in told


@pytest.mark.rule("B-03")
def test_a_hand_with_very_many_raises_is_played_to_its_end() -> None:
    words = "--players 27 --seed 11 --options limit=fixed_limit structure=T200 starting_stack=5000"
    assert "pool 27000  paid 27000" in played(*words.split())


@pytest.mark.rule("N-01")
def test_stacks_of_one_chip_are_settled_with_bounties() -> None:
    options = SimulationOptions(
        players=81,
        seats_per_table=5,
        variant="omaha5_hilo",
        starting_stack=1,
        buy_in=0,
        bounty=1001,
        progressive_bp=0,
        bubble_places=0,
        bubble_final=1,
        play_time_ms=1_800_000,
        s0_order=True,
    )
    course = SimulationRun(validate_simulation(options), 1159)
    course.run()
    assert report.build(course, 1159, [])["bounties"] == 81 * 1001


def test_the_default_number_of_players_enters() -> None:
    sizes = {"spin": 3, "heads_up": 2, "fifty_fifty": 8, "double_or_nothing": 8, "freezeout": 27}
    for form, players in sizes.items():
        assert validate_simulation(SimulationOptions(format=form)).players == players  # type: ignore[arg-type]


def test_stacks_too_deep_for_the_levels_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs, "HANDS_IDLE_MAX", 20)
    with pytest.raises(CommandError, match="no knock-out in 20 hands: the stacks are too deep"):
        played(*["--players", "4", "--options", "limit=fixed_limit", "starting_stack=1000000"])


def test_a_deadlock_of_tables_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.simulation.boundary._next_step", lambda course, table: "wait")
    with pytest.raises(CommandError, match="every table waits and no other event is due"):
        played("--players", "4")


def test_an_error_of_the_simulation_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(course: SimulationRun, table: object) -> None:
        raise KeyError(3)

    monkeypatch.setattr("tournaments.simulation.boundary.visit_table", broken)
    with pytest.raises(CommandError, match=r"^seed 1: KeyError: 3$"):
        played("--players", "4")
