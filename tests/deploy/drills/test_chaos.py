"""Chaos: a seed determines the faults, each is carried out, and a short run loses nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.environment import HOME
from deploy.drills import chaos_report
from deploy.drills.chaos_plan import ChaosPlan, ChaosRecord
from deploy.drills.chaos_report import recoveries, spread
from deploy.embedded.program import Program
from deploy.faults import killing, power
from deploy.faults.harming import Harming
from deploy.faults.schedule import (
    CLUSTER_WEIGHTS,
    LOST_LEAST_S,
    LOST_MOST_S,
    STOP_LEAST_S,
    STOP_MOST_S,
    WEIGHTS,
    Action,
    Harm,
    schedule,
)
from deploy.measuring.pulse import Fault
from deploy.processes.supervisor import Supervisor
from tests import prepared
from tests.deploy.cluster.levels import quick_offer


def _drawn(seed: int) -> list[Harm]:
    chance = random.Random(seed)
    return list(schedule(chance, per_minute=120, worker_kills_per_s=1.0, duration_s=600))


def test_the_schedule_is_drawn_from_its_seed() -> None:
    assert _drawn(1) == _drawn(1)
    assert _drawn(1) != _drawn(2)


def test_the_schedule_is_in_order_in_time_and_of_every_kind() -> None:
    harms = _drawn(3)
    assert [harm.at_s for harm in harms] == sorted(harm.at_s for harm in harms)
    assert harms[-1].at_s < 600
    assert {(harm.kind, harm.action) for harm in harms} == set(WEIGHTS)
    assert all(harm.kind in (*killing.KINDS, "lines", "machine") for harm in harms)
    frozen = [harm.lasts_s for harm in harms if harm.action == "stop"]
    assert all(STOP_LEAST_S <= lasts_s <= STOP_MOST_S for lasts_s in frozen)
    assert sum(harm.name == "kill worker" for harm in harms) >= 500, "at least one kill per second"


@pytest.fixture
def harming(supervisor: Supervisor, tmp_path: Path) -> Harming:
    return Harming(supervisor, random.Random(1), tmp_path)


def _until(holds: Callable[[], object]) -> None:
    give_up_s = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up_s, "did not happen in time"
        time.sleep(0.01)


def _state(pid: int) -> str:
    listed = ["ps", "-o", "state=", "-p", str(pid)]
    return subprocess.run(listed, capture_output=True, text=True, check=False).stdout.strip()[:1]


@pytest.mark.parametrize("action", ["kill", "term"])
def test_a_process_is_ended(harming: Harming, supervisor: Supervisor, action: Action) -> None:
    assert harming.do(Harm(0.0, "web", action)) == "web"
    _until(lambda: supervisor.pid("web") is None)
    assert supervisor.pid("room") is not None
    assert harming.do(Harm(0.0, "web", action)) is None, "no process of the kind is left"


def test_a_process_is_frozen_and_goes_on(harming: Harming, supervisor: Supervisor) -> None:
    pid = supervisor.pid("web")
    assert pid is not None
    assert harming.do(Harm(0.0, "web", "stop", lasts_s=3_600.0)) == "web"
    _until(lambda: _state(pid) == "T")
    harming.follow_up_due()
    assert _state(pid) == "T", "still frozen"
    harming.finish()
    _until(lambda: _state(pid) != "T")


def test_a_lost_process_stays_away_until_its_time_is_over(
    harming: Harming, supervisor: Supervisor
) -> None:
    assert harming.do(Harm(0.0, "room", "lose", lasts_s=3_600.0)) == "room"
    _until(lambda: supervisor.pid("room") is None)
    supervisor.tend()
    harming.follow_up_due()
    assert supervisor.pid("room") is None, "nobody starts what is lost"
    harming.finish()

    def is_back() -> bool:
        supervisor.tend()
        return supervisor.pid("room") is not None

    _until(is_back)


def test_nodes_are_lost_where_they_have_a_replica_only() -> None:
    drawn = partial(schedule, per_minute=120, worker_kills_per_s=0.0, duration_s=600)
    lost = [h for h in drawn(random.Random(1), weights=CLUSTER_WEIGHTS) if h.action == "lose"]
    assert lost and all(LOST_LEAST_S <= harm.lasts_s <= LOST_MOST_S for harm in lost)
    assert not [harm for harm in drawn(random.Random(1)) if harm.action == "lose"]


def test_one_server_of_a_cluster_comes_back_empty(tmp_path: Path) -> None:
    supervisor = Supervisor(lambda _: None)
    nodes = ("room0", "room1")
    sleeper = (sys.executable, "-c", "import time; time.sleep(600)")
    supervisor.start([Program(n, sleeper, tmp_path, tmp_path / "log", lambda: True) for n in nodes])
    kept = [tmp_path / name / "appendonlydir" / "appendonly.aof.1.incr.aof" for name in nodes]
    for file in kept:
        file.parent.mkdir(parents=True)
        file.write_text("data")
    try:
        emptied = Harming(supervisor, random.Random(1), tmp_path).do(Harm(0.0, "room", "empty"))
        assert emptied in nodes
        assert [file.exists() for file in kept] == [name != emptied for name in nodes]
    finally:
        supervisor.stop()


def test_a_worker_that_only_starts_is_left_alone(tmp_path: Path) -> None:
    door, mark = tmp_path / "door", tmp_path / "play0.ready"
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(door)!r}).exists(): time.sleep(0.01)"
    say = f"pathlib.Path({str(mark)!r}).touch()\ntime.sleep(600)"
    how = Program(
        name="play0",
        argv=(sys.executable, "-c", f"{wait}\n{say}"),
        directory=tmp_path,
        log=tmp_path / "play0.log",
        ready=mark.exists,
        mark=mark,
    )
    supervisor = Supervisor(lambda _: None)
    harming, harm = Harming(supervisor, random.Random(1), tmp_path), Harm(0.0, "worker", "kill")
    door.touch()
    supervisor.start([how])
    try:
        assert harming.do(harm) == "play0"
        door.unlink()

        def restarted() -> int:
            supervisor.tend()
            return supervisor.restarts()["play0"]

        _until(restarted)
        assert supervisor.pid("play0") is not None
        assert harming.do(harm) is None, "a starting worker serves no table"
        door.touch()
        _until(lambda: supervisor.serves("play0"))
        assert harming.do(harm) == "play0"
    finally:
        supervisor.stop()


def test_redis_comes_back_empty(harming: Harming, supervisor: Supervisor, tmp_path: Path) -> None:
    kept = tmp_path / "room" / "appendonlydir" / "appendonly.aof.1.incr.aof"
    kept.parent.mkdir(parents=True)
    kept.write_text("data")
    assert harming.do(Harm(0.0, "room", "empty")) == "room"
    assert supervisor.pid("room") is None
    assert not kept.exists()


def test_a_machine_loses_power_and_what_was_never_synced(
    harming: Harming, supervisor: Supervisor, tmp_path: Path
) -> None:
    file = tmp_path / "room" / "appendonlydir" / "appendonly.aof.1.incr.aof"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"*1\r\n$4\r\nPING\r\n")
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
    synced = file.read_bytes()
    assert power.lose_unsynced(tmp_path) == 0
    with file.open("ab") as opened:
        opened.write(synced)
    assert harming.do(Harm(0.0, "machine", "reset")) == "machine"
    assert {name for name in supervisor.restarts() if supervisor.pid(name) is not None} <= {"swarm"}
    assert synced <= file.read_bytes() < synced * 2


def test_recoveries_count_the_slowest_table_of_each_fault() -> None:
    first = Fault("kill web", 0.0, set(), {"a": 0.5, "b": 1.0}, {"a": 0.5, "b": 2.0})
    second = Fault("kill room", 0.0, set(), {"a": 0.1}, {"a": 4.0})
    found = recoveries([first, second])
    assert found["all"]["count"] == 2
    assert found["kill web"]["stood_s"] == {"p50": 2.0, "p99": 2.0, "max": 2.0}
    assert found["all"]["stood_s"]["max"] == 4.0
    assert spread([]) == {"p50": None, "p99": None, "max": None}


def test_a_defect_is_a_violation(tmp_path: Path) -> None:
    wanted = ChaosPlan(1.0, 1, 0.0, 0.0, 1, 2, None, tmp_path, within_s=1.0, recovers_s=1.0)
    told = ChaosRecord(defects=["web0 crashed: signal 6, see web0.log"])
    found = chaos_report.build(Supervisor(print), wanted, told)["violations"]
    assert found[0] == told.defects[0]


def test_a_run_without_time_or_players_is_refused() -> None:
    for wrong in (
        ["--minutes", "0"],
        ["--players", "1"],
        ["--tournaments", "0"],
        ["--recovers", "0"],
        ["--ring", "-1"],
    ):
        with pytest.raises(CommandError, match="must be"):
            call_command("chaos", *wrong)
    with pytest.raises(CommandError, match="give one of it and --redis-cluster"):
        call_command("chaos", "--cut-servers", "--redis-cluster", "3")
    with pytest.raises(CommandError, match="no JSON object"):
        call_command("chaos", "--offer", "[]")


@pytest.mark.cluster
@pytest.mark.alone
@pytest.mark.sample
def test_a_short_run_of_all_faults_loses_nothing(place: Path) -> None:
    report = place / "chaos.json"
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    prepared.furnish(place / "room")
    command = [sys.executable, str(HOME / "manage.py"), "chaos", "--data", str(place / "room")]
    wanted = [
        "--minutes",
        "0.3",
        "--tournaments",
        "1",
        "--players",
        "6",
        "--seats",
        "3",
        "--ring",
        "4",
    ]
    harm = ["--faults-per-minute", "50", "--cut-servers", "--report", str(report)]
    patient = ["--within", "600", "--offer", json.dumps(quick_offer())]
    started = subprocess.Popen(
        [*command, *wanted, *harm, *patient],
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        said, _ = started.communicate(timeout=900)
    finally:
        started.send_signal(signal.SIGTERM)
    assert report.exists(), said.decode()
    found = json.loads(report.read_text())
    assert found["violations"] == [], said.decode()
    assert started.returncode == 0
    assert found["faults_done"] >= 5
    assert found["hands"] > 5
    assert found["ring"]["players"] == 4
    assert found["ring"]["hands"] > 5
    assert found["decisions"] > 5, "killed bots' counts remain"
    assert found["histories"]["fates"]["took_effect"] > 0
    assert found["recoveries"]["all"]["count"] == found["faults_done"]
