"""Simulated ring games keep every cent, every blind and every seat; planted faults are found."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from msgspec.structs import replace

from tables.engine import rake
from tables.engine.state import HandState
from tables.ring.engine import blinds, jackpots
from tables.ring.engine.blinds import DealPlan, Owed
from tables.ring.engine.jackpots import JackpotFall
from tables.ring.simulation import boundary, hands
from tables.ring.simulation.report import build_report
from tables.ring.simulation.run import RingSimulation


@pytest.mark.rule("R-02", "J-01", "J-02", "J-03", "A-03", "H-07", "X-03")
@pytest.mark.parametrize("seed", range(6))
def test_simulated_ring_games_lose_no_cent_and_no_blind(seed: int) -> None:
    run = RingSimulation(seed, players=(12, 40)[seed % 2])
    run.play(700)
    report = build_report(run, [])
    assert report["hands"] == 700 and report["ledger_sum"] == 0
    rake_report = report["rake"]
    assert rake_report["expected"] == rake_report["taken"] == rake_report["attributed"] > 0
    for pool in report["jackpots"].values():
        assert pool["expected"] == pool["fed"] == pool["paid"] + pool["room"] + pool["pool"]
    assert report["freed"]["left"] and report["refused"]["buy_in_exact"]


def test_a_seed_decides_everything() -> None:
    reports = []
    for seed in (5, 5, 6):
        run = RingSimulation(seed)
        run.play(150)
        reports.append(build_report(run, []) | {"seed": 0})
    assert reports[0] == reports[1] != reports[2]


@pytest.mark.rule("R-02")
def test_a_planted_rake_above_the_share_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(state: HandState, amount: int) -> int:
        due = state.rules.options.rake
        return 0 if due is None else min(amount // 25, due.maximum)

    monkeypatch.setattr(rake, "_rake", greedy)
    with pytest.raises(AssertionError, match="of rake booked"):
        RingSimulation(1).play(1_000)


@pytest.mark.rule("R-02")
def test_a_planted_rake_below_its_minimum_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(state: HandState, amount: int) -> int:
        due = state.rules.options.rake
        return 0 if due is None else min(amount * due.basis_points // 10_000, due.maximum)

    monkeypatch.setattr(rake, "_rake", greedy)
    run = RingSimulation(1)
    for table in run.tables:
        rows = tuple(replace(row, minimum=20) for row in table.terms.rake_rows)
        table.terms = table.terms._replace(rake_rows=rows)
    with pytest.raises(AssertionError, match="of rake booked"):
        run.play(1_000)


@pytest.mark.rule("A-03")
def test_a_planted_stack_paid_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    freed = boundary._free_seats
    monkeypatch.setattr(boundary, "_free_seats", lambda run, table: _twice(freed, run, table))
    with pytest.raises(AssertionError, match=r"chips for|is overdrawn by cash_out"):
        RingSimulation(1).play(1_000)


def _twice(freed: Any, run: Any, table: Any) -> None:
    before = dict(table.sessions)
    freed(run, table)
    for seat, session in before.items():
        if seat not in table.sessions:
            source, target = ("ring", table.number), ("player", session.player)
            run.bank.move("cash_out", source, target, session.chips)


@pytest.mark.rule("J-02")
def test_a_planted_jackpot_that_keeps_a_cent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = jackpots.winners

    def short(*args: Any, **given: Any) -> JackpotFall | None:
        fall = real(*args, **given)
        return fall and fall._replace(next_pool=fall.next_pool + 1)

    monkeypatch.setattr(hands, "winners", short)
    with pytest.raises(AssertionError, match="is not paid to the cent"):
        RingSimulation(1).play(2_000)


@pytest.mark.rule("H-07")
def test_a_planted_missed_blind_that_is_forgotten_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = blinds.plan_deal

    def forgetful(*args: Any, **given: Any) -> DealPlan | None:
        plan = real(*args, **given)
        return plan and plan._replace(owes=dict.fromkeys(plan.owes, Owed()))

    monkeypatch.setattr(hands, "plan_deal", forgetful)
    with pytest.raises(AssertionError, match="hands without a big blind"):
        RingSimulation(1).play(20_000)


@pytest.mark.rule("R-02")
def test_planted_shares_of_the_rake_that_lose_a_cent_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        hands, "shares", lambda paid, due: {seat: due // len(paid) for seat in paid}
    )
    with pytest.raises(AssertionError, match="rake attributed to players"):
        RingSimulation(1).play(500)


def test_the_command_writes_a_report(tmp_path: Path) -> None:
    path, out = tmp_path / "out.json", StringIO()
    words = ["--ring", "--hands", "120", "--seed", "3", "--report", str(path)]
    call_command("simulate", *words, stdout=out)
    report = json.loads(path.read_text())
    assert {"hands", "rake", "jackpots", "ledger_sum", "violations"} <= report.keys()
    assert (report["hands"], report["violations"]) == (120, [])
    assert "hands 120" in out.getvalue()


def test_the_command_fails_with_the_violation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "out.json"
    monkeypatch.setattr(hands, "feed", lambda rake, basis_points: rake + 1)
    with pytest.raises(CommandError, match="seed 3: rake moves a negative amount"):
        call_command("simulate", "--ring", "--seed", "3", "--report", str(path))
    assert json.loads(path.read_text())["violations"] == ["rake moves a negative amount"]
    with pytest.raises(CommandError, match="--hands: at least 1"):
        call_command("simulate", "--ring", "--hands", "0")


def test_a_room_without_rake_rows_takes_no_rake() -> None:
    run = RingSimulation(2)
    for table in run.tables:
        table.terms = table.terms._replace(rake_rows=())
    run.play(100)
    assert build_report(run, [])["rake"]["taken"] == 0


@pytest.mark.rule("R-02")
def test_tables_of_a_currency_without_rows_take_no_rake() -> None:
    run = RingSimulation(2)
    for table in run.tables:
        rows = tuple(replace(row, currency="USD") for row in table.terms.rake_rows)
        table.terms = table.terms._replace(rake_rows=rows)
    run.play(100)
    assert run.expected_rake == run.attributed == 0
