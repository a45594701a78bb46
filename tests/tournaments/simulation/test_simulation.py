"""Simulated tournaments of all formats and options, by seed and without servers, without a loss."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.samples import size
from tournaments.simulation import chance, report
from tournaments.simulation.options import SimulationOptions, validate_simulation
from tournaments.simulation.simulation_run import SimulationRun

TOURNAMENTS = 1_000
BATCHES = 10
PLAYED = size(2, BATCHES)
CASH: dict[str, Any] = {
    "cash_value": True,
    "buy_in": 1_500,
    "payout_preset": "winner_takes_all",
}
"""Chips with the value of money."""


@pytest.mark.rule("Z-01")
@pytest.mark.rule("Z-04")
@pytest.mark.rule("T-07")
@pytest.mark.parametrize("batch", range(PLAYED))
def test_random_tournaments_lose_no_chip_no_cent_and_no_place(batch: int) -> None:
    each = TOURNAMENTS // BATCHES
    for seed in range(batch * each, (batch + 1) * each):
        course = SimulationRun(chance.offer(seed), seed)
        try:
            course.run()
        except AssertionError as wrong:
            pytest.fail(f"seed {seed}: {wrong}")


def test_the_random_tournaments_cover_every_format_and_purchase() -> None:
    offers = [chance.offer(seed) for seed in range(TOURNAMENTS)]
    assert len({offer.format for offer in offers}) == 7
    assert {offer.late_ends for offer in offers} == {
        *("never_open", "at_level", "at_time", "at_left", "at_first_out")
    }
    for field in (
        *("rebuys_max", "add_on", "several_at_once", "bounty", "deals_allowed", "cancel"),
        "cash_value",
    ):
        assert any(getattr(offer, field) for offer in offers), field


def test_one_seed_gives_one_tournament() -> None:
    made = []
    for _ in range(2):
        course = SimulationRun(chance.offer(11), 11)
        course.run()
        made.append(report.build(course, 11, []))
    assert made[0] == made[1]
    other = SimulationRun(chance.offer(11), 12)
    other.run()
    assert report.build(other, 12, []) != made[0] | {"seed": 12}


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
def test_simulated_players_buy_again() -> None:
    options = validate_simulation(
        SimulationOptions(
            players=18,
            late_ends="at_level",
            late_value=3,
            late_players=6,
            entries_max=3,
            rebuys_max=1,
            rebuy_until_level=2,
            add_on=True,
        )
    )
    course = SimulationRun(options, 4)
    course.run()
    made = report.build(course, 4, [])
    assert made["entries"] > made["players"] > options.players
    assert made["rebuys"] and made["add_ons"]
    bought = made["entries"] + made["rebuys"] + made["add_ons"]
    assert made["chips_sold"] == made["chips_counted"] == bought * options.starting_stack
    assert made["pool"] == made["paid"] == bought * 10_00


@pytest.mark.rule("A-04")
@pytest.mark.parametrize("seed", range(5))
def test_a_player_who_leaves_is_paid_chips_with_cash_value(seed: int) -> None:
    course = SimulationRun(
        validate_simulation(SimulationOptions(players=18, leave_percent=4, **CASH)), seed
    )
    course.run()
    made = report.build(course, seed, [])
    assert made["left_with_stack"] > 2
    assert made["pool"] == made["paid"] == made["chips_sold"] == 18 * 1_500
    entries = course.field.entries.values()
    paid = {entry.number: entry.prize for entry in entries if entry.prize}
    assert len(paid) == made["left_with_stack"] + 1, "no place is paid"
    assert all(entry.prize == entry.dead + entry.chips for entry in entries)


@pytest.mark.rule("A-04")
def test_cancelling_forward_pays_chips_with_cash_value_at_face_value() -> None:
    cancelled: dict[str, Any] = {"cancel": "roll_forward", "cancel_after_hands": 20}
    course = SimulationRun(
        validate_simulation(SimulationOptions(players=9, **CASH, **cancelled)), 3
    )
    course.run()
    entries = course.field.entries.values()
    refunded = [entry for entry in entries if entry.state == "refunded"]
    assert refunded and all(entry.prize == entry.chips for entry in refunded)
    assert sum(entry.prize for entry in entries) == 9 * 1_500


@pytest.mark.rule("N-01")
def test_bounties_are_paid_in_full_when_hunters_bust_too() -> None:
    offered = validate_simulation(
        SimulationOptions(players=27, variant="omaha_hilo", starting_stack=1, bounty=500)
    )
    course = SimulationRun(offered, 2)
    course.run()
    assert report.build(course, 2, [])["bounties"] == 13_500


def test_the_command_writes_every_field_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    arguments = ("--format", "spin", "--seed", "3", "--report", str(path), "--options", "fee=0")
    call_command("simulate", *arguments, stdout=StringIO())
    made = json.loads(path.read_text())
    contract = (
        *("players", "entries", "seats_per_table", "tables_opened", "tables_closed", "moves"),
        *("hands", "actions", "commands_rejected", "chips_sold", "chips_counted", "pool", "paid"),
        *("fees", "ledger_sum", "places", "levels_reached", "duration_s", "restarts"),
        *("violations", "options"),
    )
    assert set(contract) <= made.keys()
    assert made["finished"] and made["violations"] == [] and made["ledger_sum"] == 0
    assert made["options"]["format"] == "spin"
