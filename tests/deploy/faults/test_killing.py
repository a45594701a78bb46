"""Requested kills: their syntax and their pace."""

from __future__ import annotations

import random

import pytest
from django.core.management import CommandError, call_command

from deploy.faults.killing import Every, Killer, every
from deploy.processes.supervisor import Supervisor


def test_every_reads_what_an_operator_writes() -> None:
    assert every("web:2.5") == Every("web", 2.5)


@pytest.mark.parametrize("text", ["web", "web:", "web:0", "web:-1", "web:nan", "cat:3", ":3", ""])
def test_every_says_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"KIND:SECONDS.*worker.*postgres"):
        every(text)


def test_cluster_refuses_unknown_kinds_of_kills() -> None:
    with pytest.raises(CommandError, match="KIND:SECONDS"):
        call_command("cluster", "--headless", "--kill", "cat:3")


def test_only_what_is_due_is_killed_and_counted(supervisor: Supervisor) -> None:
    wanted = (Every("worker", 2.0), Every("web", 5.0))
    killer = Killer(wanted, random.Random(1), now_s=100.0)
    killer.kill_due(supervisor, 101.9)
    assert not killer.killed
    killer.kill_due(supervisor, 102.0)
    assert sum(killer.killed.values()) == 1
    assert set(killer.killed) <= {"play0", "settle0"}
    killer.kill_due(supervisor, 103.9)
    assert sum(killer.killed.values()) == 1
    killer.kill_due(supervisor, 105.0)
    assert killer.killed["web"] == 1
    assert killer.killed["room"] == 0
