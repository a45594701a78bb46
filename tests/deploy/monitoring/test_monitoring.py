"""Alerts, dashboard and runbook name what the room tells, and each alert strikes and is silent."""

from __future__ import annotations

import json
import operator
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import promql_parser as promql
import pytest
from django.core.management import get_commands
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from config import metrics
from config.environment import HOME
from tables.conduct.following import ConductThread
from tables.fairlog.keeping import KeeperThread
from tables.fairness.cutting import CutState
from tables.records import hand_months
from tables.store import keys, wakes
from tables.workers import presence
from tables.workers.presence import Worker
from tests.conftest import Running
from tests.tables.records.months_away import take_away
from tournaments.models.tournament import State
from tournaments.monitor import audit_watch

FOLDER = HOME / "deploy/monitoring"
RUNBOOK = (HOME / "docs/runbook.md").read_text()
OUTSIDE = {"up"}
"""Metrics that Prometheus itself makes."""

ENDS = ("delayed", "stopped")
"""Endings of the kinds of faults of a thread that takes turns."""


class Rule(msgspec.Struct, forbid_unknown_fields=True):
    """Rule of an alert, with every field that Prometheus must get."""

    alert: str
    expr: str
    labels: dict[str, str]
    annotations: dict[str, str]
    for_: str = msgspec.field(name="for", default="1s")


class Group(msgspec.Struct, forbid_unknown_fields=True):
    """Group of rules that Prometheus evaluates together."""

    name: str
    rules: list[Rule]


class Rules(msgspec.Struct, forbid_unknown_fields=True):
    """File of rules."""

    groups: list[Group]


GROUPS = msgspec.yaml.decode((FOLDER / "alerts.yaml").read_bytes(), type=Rules).groups
RULES = {rule.alert: rule for group in GROUPS for rule in group.rules}
PANELS: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]


def _selectors(expression: str) -> list[promql.VectorSelector]:
    """Return what an expression asks for; the interval that Grafana fills in is a minute."""
    found: list[promql.VectorSelector] = []

    def note(node: promql.Expr) -> None:
        if isinstance(node, promql.VectorSelector):
            found.append(node)
        if isinstance(node, promql.MatrixSelector):
            found.append(node.vector_selector)

    promql.walk(promql.parse(expression.replace("$__rate_interval", "1m")), note)
    return found


def _expressions() -> Iterator[str]:
    yield from (rule.expr for rule in RULES.values())
    yield from (target["expr"] for panel in PANELS for target in panel["targets"])


def _families() -> list[Metric]:
    return list(text_string_to_metric_families(metrics.text().decode()))


@pytest.fixture
def told(db: None, room: Redis, broker: Redis) -> Redis:
    """A room that tells every gauge: a worker is there, and an audit found nothing."""
    presence.note(room, Worker("play0@here", ("play.0",), wakes.now_ms(room, 0)))
    audit_watch.leave([], looks=1, took_s=0.1)
    return room


def test_every_expression_asks_for_what_the_room_tells(told: Redis) -> None:
    names = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    served = {
        family.name + ending for family in _families() for ending in names.get(family.type, ())
    }
    asked = {one.name for text in _expressions() for one in _selectors(text)}
    assert asked - served == OUTSIDE
    quantities = {name for name in served if name.startswith("room_") and name.endswith("_bucket")}
    assert quantities <= asked, "a measure that no panel shows"


def test_values_of_labels_are_those_of_the_code() -> None:
    code = "".join(
        path.read_text()
        for folder in ("config", "tables", "tournaments")
        for path in (HOME / folder).rglob("*.py")
    )
    turns = {f"{one.name}_{end}" for one in (ConductThread, KeeperThread) for end in ENDS}
    known = {
        "kind": set(re.findall(r'FAULTS\.labels\("(\w+)"\)', code)) | turns,
        "state": {*State.values, *(state.name.lower() for state in CutState)},
        "job": {"room"},
    }
    for text in _expressions():
        for selector in _selectors(text):
            for matcher in selector.matchers.matchers:
                assert set(matcher.value.split("|")) <= known[matcher.name], text


def test_a_process_tells_the_faults_of_alerts_before_the_first_one() -> None:
    alone = {name: value for name, value in os.environ.items() if name != metrics.FOLDER}
    code = "from config import metrics; print(metrics.counters().decode())"
    begun = subprocess.run(
        [sys.executable, "-c", code], cwd=HOME, env=alone, capture_output=True, check=True
    )
    told = {
        sample.labels["kind"]: sample.value
        for family in text_string_to_metric_families(begun.stdout.decode())
        for sample in family.samples
        if sample.name == "room_faults_total"
    }
    asked = {
        kind
        for rule in RULES.values()
        for selector in _selectors(rule.expr)
        if selector.name == "room_faults_total"
        for matcher in selector.matchers.matchers
        for kind in matcher.value.split("|")
    }
    assert told == dict.fromkeys(asked, 0.0)


def test_missing_gauges_strike_where_no_web_process_is_asked(told: Redis) -> None:
    [selector] = _selectors(RULES["RoomGaugesMissing"].expr)
    assert selector.name in {family.name for family in _families()}
    counters = text_string_to_metric_families(metrics.counters().decode())
    assert selector.name not in {family.name for family in counters}


def test_rules_are_complete() -> None:
    assert len(RULES) == sum(len(group.rules) for group in GROUPS), "names are unique"
    for name, rule in RULES.items():
        assert re.fullmatch(r"Room([A-Z][a-z]+)+", name)
        assert rule.labels.keys() == {"severity"} and rule.labels["severity"] in ("page", "ticket")
        assert rule.annotations.keys() == {"summary"}
        assert isinstance(promql.parse(rule.expr), promql.BinaryExpr), "a comparison"
        assert promql.parse_duration(rule.for_).total_seconds() <= 900


def test_every_alert_has_its_section_and_commands_exist() -> None:
    sections = re.findall(r"^### (Room\w+)$", RUNBOOK, re.MULTILINE)
    assert sections == list(RULES), "in the order of the file"
    for text in re.split(r"^### Room\w+$", RUNBOOK, flags=re.MULTILINE)[1:]:
        assert "- Look" in text and re.search(r"^- (Look and )?[Mm]end: ", text, re.MULTILINE)
    commands = set(re.findall(r"manage\.py (\w+)", RUNBOOK))
    assert commands and commands <= get_commands().keys()
    for unit, many in re.findall(r"\broom-([a-z]+)(@?)", RUNBOOK):
        assert (HOME / f"deploy/systemd/room-{unit}{many}.service").is_file(), unit


def test_the_dashboard_shows_every_alert_in_panels_that_do_not_overlap() -> None:
    shown = {
        one.name for panel in PANELS for t in panel["targets"] for one in _selectors(t["expr"])
    }
    for rule in RULES.values():
        assert {one.name for one in _selectors(rule.expr)} <= shown, rule.alert
    assert len({panel["title"] for panel in PANELS}) == len(PANELS)
    cells: set[tuple[int, int]] = set()
    for panel in PANELS:
        at = panel["gridPos"]
        own = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not own & cells and at["x"] + at["w"] <= 24, panel["title"]
        assert panel["description"] and panel["fieldConfig"]["defaults"]["unit"]
        cells |= own


def _strikes(name: str) -> bool:
    """Return whether the gauge of an alert is beyond its threshold now."""
    rule = promql.parse(RULES[name].expr)
    assert isinstance(rule, promql.BinaryExpr) and isinstance(rule.rhs, promql.NumberLiteral)
    [selector] = _selectors(RULES[name].expr)
    values = [
        sample.value
        for family in _families()
        for sample in family.samples
        if sample.name == selector.name
    ]
    compare = next(one for sign, one in COMPARED.items() if f" {sign} " in RULES[name].expr)
    return any(compare(value, rule.rhs.val) for value in values)


COMPARED = {"==": operator.eq, ">": operator.gt, "<": operator.lt}

GAUGES = (
    *("RoomServerAway", "RoomTablesStuck", "RoomWakesLate", "RoomWorkerAway", "RoomQueueLong"),
    *("RoomEventsWait", "RoomAuditFindings", "RoomAuditSilent", "RoomHandMonthMissing"),
)


def _wake_late(room: Redis) -> None:
    room.zadd(keys.wakes(0), {"table:1": wakes.now_ms(room, 0) - 60_000})


PLANTED: dict[str, Callable[[Redis], object]] = {
    "RoomAuditFindings": lambda room: audit_watch.leave(["chips"], looks=2, took_s=0.1),
    "RoomWorkerAway": lambda room: presence.note(
        room, Worker("play0@here", ("play.0",), wakes.now_ms(room, 0) - 60_000)
    ),
    "RoomWakesLate": _wake_late,
    "RoomHandMonthMissing": lambda room: take_away(hand_months.months()[1]),
    "RoomAuditSilent": lambda room: room.delete(audit_watch.FOUND),
}


@pytest.mark.parametrize("took_s", [0.1, 20.0, 60.0])
def test_an_auditor_with_long_checks_is_not_called_silent(took_s: float) -> None:
    rule = promql.parse(RULES["RoomAuditSilent"].expr)
    assert isinstance(rule, promql.BinaryExpr) and isinstance(rule.rhs, promql.NumberLiteral)
    assert audit_watch.rest_s(took_s) + took_s < rule.rhs.val


def test_a_sound_room_strikes_no_alert(told: Redis) -> None:
    assert [name for name in GAUGES if _strikes(name)] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_strikes_its_alert(told: Redis, name: str) -> None:
    PLANTED[name](told)
    assert [one for one in GAUGES if _strikes(one)] == [name]


def test_a_server_that_is_away_strikes(told: Redis, room_server: Running) -> None:
    room_server.kill()
    assert _strikes("RoomServerAway")
