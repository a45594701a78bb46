"""Sums of the load command: seconds of several swarms, and usage of processes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config import metrics
from deploy.drills.load_report import goals_met
from deploy.drills.load_swarms import PLAYERS_PER_ADDRESS, address_of
from deploy.measuring.histograms import Spans, counts_of, spans_of
from deploy.measuring.processes import Usage, since, usages
from deploy.measuring.room_counters import CounterReading, difference
from deploy.measuring.swarm_notes import seen_between
from tables.bots import swarm_log
from tables.bots.tally import Tally

NOTHING = CounterReading({}, 0, 0, 0, 0, 0, (0, 1), Spans(), Spans(), {}, Spans())


def _line(at: float, decisions: int, buckets: dict[int, int], worst: float) -> str:
    spread = {"buckets": buckets, "max": worst}
    counts = {"decisions": decisions}
    line = {"at": at, "counts": counts, "latency": spread, "lateness": {**spread, "max": worst / 2}}
    return json.dumps(line) + "\n"


def test_only_the_seconds_between_two_moments_count(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text(
        _line(10, 100, {9_000: 1}, 900.0)
        + _line(11, 130, {50: 29, 100: 1}, 10.05)
        + _line(12, 160, {9_000: 1}, 900.0)
    )
    # The second swarm joined later, and its last note is incomplete.
    second.write_text(_line(11, 70, {50: 70}, 5.04) + '{"at": 11.5, "coun')
    seen = seen_between([first, second, tmp_path / "none.jsonl"], 10, 11)
    assert seen.counts["decisions"] == 30 + 70
    told = seen.latency.summary()
    assert (told["count"], told["p50"], told["max"]) == (100, 5.1, 10.1)
    late = seen.lateness.summary()
    assert (late["count"], late["max"]) == (100, 5.0)


def test_a_swarm_notes_how_late_it_is_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swarm_log, "EVERY_S", 0.05)
    notes, tally = tmp_path / "a.jsonl", Tally()

    def lines() -> int:
        return len(notes.read_text().splitlines()) if notes.exists() else 0

    async def note() -> None:
        keeping = asyncio.create_task(swarm_log.keep(tally, str(notes), None))
        await asyncio.sleep(0.03)
        before = lines()
        time.sleep(0.3)  # the process does something else
        # The first note after it may have been due before the lateness was measured.
        while lines() < before + 2:
            await asyncio.sleep(0.01)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(note())
    late = seen_between([notes], 0, time.time()).lateness.summary()
    assert late["count"] and late["max"] is not None and late["max"] >= 50


def test_a_process_is_charged_with_its_children() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(10**7))'])"
    keep = f"{program}\nprint('done', flush=True)\nsys.stdin.read()"
    child = subprocess.Popen(
        [sys.executable, "-c", keep],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert child.stdout is not None and child.stdout.readline() == b"done\n"
        found = usages({"child": child.pid, "me": os.getpid()})
        assert found["child"].cpu_s > 0 and found["child"].memory_bytes > 1_000_000
    finally:
        child.communicate()
    assert usages({"child": child.pid})["child"] == Usage(0, 0)
    assert since({"a": Usage(1, 5)}, {"a": Usage(3, 7), "b": Usage(1, 1)}) == {"a": Usage(2, 7)}


def test_spans_are_told_of_all_processes_since_the_first_look(place: Path) -> None:
    def spend(process: str, *spans_s: float) -> Spans:
        program = f"from config import metrics\nfor s in {spans_s}: metrics.LATENESS_S.observe(s)"
        environment = {**os.environ, metrics.FOLDER: str(place), "PROCESS_NAME": process}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        return spans_of(place, "room_deadline_lateness_seconds")

    before = spend("play0", 9.0)
    spend("play0", *[0.004] * 99)
    after = spend("play1", 0.2)
    assert after.since(before) == {
        "count": 100,
        "mean_ms": pytest.approx((99 * 4 + 200) / 100),
        "p50_at_most_ms": 5,
        "p99_at_most_ms": 5,
        "max_at_most_ms": 250,
    }
    assert spend("play1", 60.0).since(after)["max_at_most_ms"] is None
    assert before.since(before)["max_at_most_ms"] == 0
    assert spans_of(place, "no_such_thing") == Spans()


def test_pledges_are_told_by_what_became_of_them(place: Path) -> None:
    def deal(process: str, states: list[str], *waits_s: float) -> CounterReading:
        program = (
            f"from config import metrics\n"
            f"for state in {states}: metrics.CUTS.labels(state).inc()\n"
            f"for s in {waits_s}: metrics.CUT_WAIT_S.observe(s)"
        )
        environment = {**os.environ, metrics.FOLDER: str(place), "PROCESS_NAME": process}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        return replace(
            NOTHING,
            cuts=counts_of(place, "room_cuts_total", "state"),
            cut_waits=spans_of(place, "room_cut_wait_seconds"),
        )

    before = deal("play0", ["opened"] * 7 + ["silent"], 0.9)
    deal("play0", ["opened"] * 150 + ["silent", "no_pledge"], *[0.004] * 98)
    after = deal("play1", ["opened"] * 49, 0.004, 0.35)
    pledges = difference(before, after, 10.0)["pledges"]
    added = pledges.pop("added_to_hand")
    assert pledges == {
        "called": 200, "in_time": 199, "late": 1, "share": 0.995, "seats_without": 1,
    }  # fmt: skip
    assert (added["count"], added["p50_at_most_ms"], added["p99_at_most_ms"]) == (100, 5, 5)
    assert added["max_at_most_ms"] == 400
    assert difference(after, after, 10.0)["pledges"]["share"] is None


@pytest.mark.parametrize("wrong", ["players", "swarms", "webs", "join", "seconds", "faster"])
def test_numbers_that_make_no_sense_are_refused(wrong: str) -> None:
    with pytest.raises(CommandError, match=f"--{wrong} must be above 0"):
        call_command("load", **{wrong: 0})


@pytest.mark.parametrize("share", [-0.1, 0.95, 1.0, float("nan")])
def test_a_share_at_ring_tables_leaves_players_to_the_tournament(share: float) -> None:
    with pytest.raises(CommandError, match=r"--ring must be from 0 to 0\.9"):
        call_command("load", ring=share)


def test_ring_games_of_a_research_room_are_refused() -> None:
    with pytest.raises(CommandError, match="only tournaments are given a seed"):
        call_command("load", ring=0.5, research=True)


@pytest.mark.parametrize("rate", [-1.0, 1_001.0, float("nan")])
def test_a_rate_of_requests_that_clients_cannot_send_is_refused(rate: float) -> None:
    with pytest.raises(CommandError, match="--api must be from 0 to 1000"):
        call_command("load", api=rate)


@pytest.mark.parametrize(("players", "swarms"), [(30_000, 4), (30_000, 7), (100_000, 10)])
def test_no_address_of_a_swarm_has_more_sockets_than_ports(players: int, swarms: int) -> None:
    each = players // swarms
    sockets = Counter(address_of(number * each) for number in range(swarms) for _ in range(each))
    assert max(sockets.values()) < 28_000 and PLAYERS_PER_ADDRESS < 28_000
    assert address_of(0) == "127.0.0.1"


def _report(players: int, **more: Any) -> dict[str, Any]:
    seen = {"action_to_event_ms": {"count": 9, "p99": 120.0}, "timed_out": 0}
    human = {**seen, "pledges": {"share": 1.0}}
    return {
        "players": players, "join_s": 900.0, "joined_s": 1_000.0, "research": False,
        "human": human, "started": seen, "swarm": {}, "defects": [], **more,
    }  # fmt: skip


def test_a_large_field_waits_longer_at_most_and_is_refunded_whole() -> None:
    cancelled = {**_report(1)["human"], "entries": 30_000, "refunded": 30_000}
    assert all(goals_met(_report(30_000, cancelled=cancelled)).values())
    missed = [
        _report(6_000),
        _report(30_000, defects=["web0 crashed: signal 11, see web0.log"]),
        _report(30_000, joined_s=1_126.0),
        _report(30_000, cancelled={**cancelled, "refunded": 29_999}),
        _report(30_000, cancelled={**cancelled, "action_to_event_ms": {"count": 1, "p99": 251.0}}),
    ]
    assert [list(goals_met(report).values()).count(False) for report in missed] == [1] * len(missed)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError, match="does not appear to be an IPv4 or IPv6 address"):
        call_command("swarm", "--players", "1", "--url", "http://127.0.0.1:1", "--address", "x")
