"""Runs of `manage.py formats`: valid tournaments, and reports judged by expected results."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from redis import Redis

from deploy.cluster import headless
from deploy.cluster.room import ClusterOptions
from deploy.drills.formats import ring_runs, runs, verdicts
from deploy.drills.formats.run import FormatRun, quick
from deploy.drills.formats.runs import RUNS
from tables.engine.variants import LIMITS
from tables.ring.sessions import sit_down
from tests.tables.ring.room import cast
from tournaments.engine.formats import FORMATS
from tournaments.models.options.formats import Format
from tournaments.monitor import report

NAMES = [run.name for run in RUNS]


def _report(**happened: Any) -> dict[str, Any]:
    return {
        "players": 6, "entries": 7, "hands": 80, "pool": 70_00, "paid": 70_00, "duration_s": 41.4,
        "options": {"variant": "omaha"}, "bounties": {"won": 0}, "violations": [],
        "happened": {"late_entries": 0, "rebuys": 2, "reentries": 1, "add_ons": 0, "overlay": 0,
                     "tickets_used": 0, "tickets_won": 0, "deal": "", "private": True, **happened},
    }  # fmt: skip


def test_missing_results_are_reported() -> None:
    run = FormatRun(
        "x",
        6,
        wants={
            "happened.rebuys": 2,
            "happened.deal": "icm",
            "options.variant": "omaha",
            "happened.private": True,
            "players": 6,
        },
    )
    assert verdicts.missing(run, _report(deal="icm")) == []
    assert verdicts.missing(run, _report(deal="icm", rebuys=3)) == []
    wrong = verdicts.missing(run, _report(rebuys=1, private=False))
    assert wrong == [
        "happened.rebuys is 1, not 2 or more",
        "happened.deal is '', not 'icm'",
        "happened.private is False, not True",
    ]
    assert len(verdicts.missing(run, {})) == 5, "an empty report shows nothing"
    assert verdicts.missing(run, {"happened": 3})[0].startswith("happened.rebuys is None")


def test_the_table_has_a_row_for_each_report() -> None:
    broken = {**_report(), "violations": ["one", "two"]}
    said = verdicts.table({"rebuys": _report(), "satellite": _report(tickets_won=4), "x": broken})
    head, *rows = said.splitlines()
    assert head.split()[0] == "format" and head.split()[-1] == "violations"
    assert [row.split()[0] for row in rows] == ["rebuys", "satellite", "x"]
    assert [row.split()[-1] for row in rows] == ["0", "0", "2"]
    assert "70.00" in rows[0] and " 4 " in rows[1]
    assert len({len(row) for row in (head, *rows)}) == 1, "columns are aligned"


def test_every_format_and_kind_of_buying_has_a_run() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert {run.offer.get("format", "freezeout") for run in RUNS} == set(Format.values)
    wanted = {path for run in RUNS for path in run.wants}
    assert wanted >= {
        "happened.late_entries", "happened.reentries", "happened.rebuys", "happened.rebuys_asked",
        "happened.add_ons", "happened.several_at_once", "happened.merged", "happened.tickets_won",
        "happened.tickets_used", "happened.deal", "happened.rounds", "happened.multiplier",
        "happened.heads_raised", "happened.overlay", "happened.private",
    }  # fmt: skip
    assert {run.wants["happened.deal"] for run in RUNS if "happened.deal" in run.wants} == {
        *("equal", "chips", "icm")
    }
    for run in RUNS:
        assert run.wants, f"{run.name} has expected results"
        players = FORMATS[run.offer.get("format", "freezeout")].players
        assert players in (0, run.players)


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_every_line_can_be_offered_and_its_report_has_what_it_wants(
    run: FormatRun, house: Redis
) -> None:
    offer = {**quick(), **run.offer}
    if offer.get("start") == "scheduled":
        offer["starts_at"] = "2099-01-01T12:00:00Z"
    made = headless.create(
        ClusterOptions(players=run.players, seats=run.seats, within_s=60.0, offer=offer),
        run.password,
    )
    assert made.state == "registering" and bool(made.password) == bool(run.password)
    built = report.build(made.pk)
    not_yet = {"pool"}
    assert all(verdicts.at(built, path) is not None for path in run.wants.keys() - not_yet)


def test_lines_are_found_by_name_with_what_they_lead_to() -> None:
    assert [run.name for run in runs.by_name([])] == NAMES
    assert [run.name for run in runs.by_name(["spin"])] == ["spin"]
    chain = ["super_satellite", "satellite", "ticket_holders"]
    for name in chain:
        assert [run.name for run in runs.by_name([name])] == chain


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"only": "spin,roulette"}, "there is no run roulette; there are all_at_once"),
        ({"side_by_side": 0}, "--side-by-side must be 1 or more"),
        ({"within": 0.0}, "--within and --starts-after above 0"),
        ({"starts_after": -1.0}, "--within and --starts-after above 0"),
    ],
)
def test_the_command_refuses_what_it_cannot_play(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("formats", **wrong)


@pytest.mark.rule("R-01")
def test_every_ring_game_can_be_opened_and_an_unplayed_one_is_not_right(house: Redis) -> None:
    games = {run.name: ring_runs.open_run(run) for run in ring_runs.RUNS}
    assert {game.limit for game in games.values()} == set(LIMITS)
    assert {game.variant for game in games.values()} >= {"holdem", "omaha", "stud"}
    assert not ring_runs.all_played(list(games.values()))
    said = ring_runs.report(ring_runs.RUNS[0], games["ring_no_limit"], 1.0)
    assert said["violations"] == ["0 hands, not 10 or more", "no rake was taken"]


def test_a_player_who_is_not_paid_out_is_not_right(house: Redis) -> None:
    run = ring_runs.RUNS[0]
    game = ring_runs.open_run(run)
    sit_down.sit(cast.player(), game.pk, amount=game.buy_in_min)
    assert ring_runs.report(run, game, 1.0)["violations"][2:] == [
        f"{game.buy_in_min} bought, but 0 paid back and 0 raked",
        "1 players still sit at its table",
    ]


def test_ring_games_are_found_by_name() -> None:
    assert ring_runs.by_name([]) == list(ring_runs.RUNS)
    assert [run.name for run in ring_runs.by_name(["ring_stud", "spin"])] == ["ring_stud"]
