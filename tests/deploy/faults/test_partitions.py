"""Rooms over several machines: creation of namespaces, syntax and times of cuts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from redis import Redis

from deploy.cluster.__main__ import go_on
from deploy.faults.partitions import Cut, Partitions, cut, in_order, outvoted
from deploy.measuring.pulse import Pulse
from deploy.processes import machines as machines_of
from deploy.processes import namespaces, roster
from deploy.processes.layout import SERVERS, Layout, choose, given
from deploy.processes.machines import HERE, PLAN, Machines
from deploy.processes.namespaces import Command
from tests.conftest import world


@pytest.fixture
def planned() -> Machines:
    return namespaces.plan("10.1.2.0/24")


def test_every_kind_of_process_has_a_machine_with_an_address_of_its_own(planned: Machines) -> None:
    kinds = [*(role.kind for role in roster.ROLES), *roster.SERVERS, "swarm", roster.TWIN]
    assert {planned.of(kind).address for kind in kinds} == {f"10.1.2.{n}" for n in range(2, 7)}
    assert planned.of("postgres") == planned.of("room") == planned.of("broker")
    assert planned.of("play") == planned.of("settle") == planned.of("auditor")
    assert planned.of("proxy") == HERE
    assert Machines().of("web") == HERE, "without a plan there is one machine"


@pytest.mark.parametrize("subnet", ["10.1.2.0/29x", "10.1.2.3/24", "10.1.2.0/30", "::/64", ""])
def test_a_subnet_that_is_none_or_too_small_is_refused(subnet: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        namespaces.plan(subnet)


def test_everything_built_is_removed(planned: Machines) -> None:
    built = namespaces.build(planned, "10.1.2.0/24")
    removed = namespaces.remove(planned)
    spaces = {line[2] for line in built if line[:2] == ("netns", "add")}
    links = {line[2] for line in built if line[:2] == ("link", "add")}
    assert len(spaces) == len(roster.MACHINES)
    assert spaces == {line[2] for line in removed if line[:2] == ("netns", "delete")}
    assert links == {line[2] for line in removed if line[:2] == ("link", "delete")}
    assert all(len(name) <= 15 for name in links), "names fit the kernel's limit"
    given_to = {line[1]: line[4] for line in built if line[0] == "-n" and line[2] == "address"}
    assert given_to == {
        one.network.name: f"{one.address}/24" for one in planned.named.values() if one.network
    }


def test_a_master_and_its_replica_never_share_a_machine() -> None:
    planned = namespaces.plan("10.1.2.0/24", masters=3)
    nodes = [planned.of(f"room{number}", 3).address for number in range(6)]
    assert nodes == [f"10.1.2.{n}" for n in (7, 8, 9, 8, 9, 7)]
    assert planned.of("room").address == planned.of("postgres", 3).address == "10.1.2.4"
    assert planned.of("room6", 3) == HERE, "there are six nodes"


def test_nodes_of_a_cluster_are_laid_out_on_their_machines(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = namespaces.plan("10.1.2.0/24", masters=3)
    monkeypatch.setenv(PLAN, planned.text())
    for server in SERVERS.values():
        monkeypatch.delenv(server, raising=False)
    layout, said = choose(place, None, masters=3)
    laid_out = layout.servers()
    assert said == []
    assert [node.address for node in laid_out.nodes[:3]] == ["10.1.2.7", "10.1.2.8", "10.1.2.9"]
    assert len({port for node in laid_out.nodes for port in (node.port, node.bus)}) == 12
    assert laid_out.broker.address == planned.of("broker").address
    found = layout.environment()
    assert found["ROOM_REDIS_URL"].count("10.1.2.") == 6
    assert found["SHARDS"] == "6"
    assert given({**layout.marks(), "ROOM_LOCAL": str(place)}) == layout


def test_a_cluster_needs_machines_for_its_nodes(
    planned: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLAN, planned.text())
    monkeypatch.delenv("ROOM_REDIS_URL", raising=False)
    with pytest.raises(SystemExit, match="3 machines more"):
        go_on(["--headless", "--redis-cluster", "3"])


def test_leftovers_are_machines_of_any_earlier_run_and_of_nothing_else(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("room-web", "room-data1", "room-data12", "room-site-77", "other"):
        (place / name).touch()
    monkeypatch.setattr(namespaces, "PLACES", place)
    left = {*namespaces.leftovers().named}
    assert left == {f"room-{name}" for name in roster.MACHINES} | {"room-data1", "room-data12"}


def test_a_plan_survives_the_environment(planned: Machines) -> None:
    layout = Layout(Path("/x"), {"web": 1}, frozenset({"room"}), planned)
    assert given({**layout.marks(), "ROOM_LOCAL": "/x"}) == layout
    assert machines_of.read("") == Machines()


def test_processes_find_the_servers_where_they_are(place: Path, planned: Machines) -> None:
    ports = {"web": 8000, "postgres": 5432, "room": 6379, "broker": 6380}
    layout = Layout(place, ports, frozenset(ports) - {"web"}, planned)
    found = layout.environment()
    data = planned.of("room").address
    assert all(data in found[name] for name in ("DATABASE_URL", "ROOM_REDIS_URL", "BROKER_URL"))
    assert found["PUBLIC_URL"] == layout.pages == f"http://{planned.of('web').address}:8000"
    assert planned.of("web").address in found["ALLOWED_HOSTS"].split(",")
    assert found["PUBLIC_URL"] in found["CSRF_TRUSTED_ORIGINS"].split(",")


def test_a_cut_is_read_as_an_operator_writes_it() -> None:
    assert cut("workers-data:20:7.5") == Cut(("workers",), ("data",), 20.0, 7.5)
    one_way = cut("data>workers:0:2")
    assert one_way == Cut(("data",), ("workers",), 0.0, 2.0, one_way=True)
    alone = cut("data:20:8")
    assert alone == Cut(("data",), (), 20.0, 8.0)
    several = cut("data1-data2+data3:20:8", ["data1", "data2", "data3"])
    assert several == Cut(("data1",), ("data2", "data3"), 20.0, 8.0)
    assert [one.name for one in (one_way, alone, several)] == [
        "data>workers",
        "data",
        "data1-data2+data3",
    ]


def test_a_cut_divides_only_machines_of_its_two_sides() -> None:
    several = cut("web-data+bots:0:1")
    assert several.divides("web", "data")
    assert several.divides("bots", "web")
    assert not several.divides("data", "bots")
    assert not several.divides("web", "workers")
    assert cut("data>web:0:1").divides("web", "data"), "an answer is lost"
    alone = cut("data:0:1")
    assert alone.divides("data", "workers")
    assert not alone.divides("data", "data")
    assert not alone.divides("web", "workers")


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("data1:0:1", {"room0"}),
        ("data1-data2:0:1", set()),
        ("data1-data2+data3:0:1", {"room0"}),
        ("data2+data3>data1:0:1", {"room0"}),
        ("workers-data1:0:1", set()),
    ],
)
def test_masters_without_most_of_the_others_are_outvoted(text: str, lost: set[str]) -> None:
    names = ["data1", "data2", "data3", "workers"]
    masters = {"room0": "data1", "room1": "data2", "room2": "data3"}
    assert outvoted(masters, cut(text, names)) == lost


def test_two_masters_of_one_machine_outvote_the_third() -> None:
    masters = {"room1": "data2", "room3": "data2", "room2": "data3"}
    one = cut("data2-data3:0:1", ["data2", "data3"])
    assert outvoted(masters, one) == {"room2"}


@pytest.mark.parametrize(
    "text", ["", "workers", "workers-data", "workers-data:1", "cat-data:1:1", "web-web:1:1",
             "web-data:-1:1", "web-data:1:0", "web-data:1:nan", "web-data-bots:1:1",
             "web>data>bots:1:1", "web>:1:1", ":1:1", "web+bots:1:1", "web-data+web:1:1",
             "web-data+:1:1", "data1:1:1"],
)  # fmt: skip
def test_a_cut_that_cannot_be_made_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"MACHINE-MACHINE:AFTER:SECONDS.*workers"):
        cut(text)


def test_cuts_are_made_one_after_the_other() -> None:
    late, early = cut("web-data:20:5"), cut("workers-data:5:5")
    assert in_order([late, early]) == (early, late)
    with pytest.raises(ValueError, match="before workers-data was healed"):
        in_order([early, cut("web-data:10:1")])


def test_the_cluster_cuts_nothing_on_one_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLAN, raising=False)
    with pytest.raises(CommandError, match=r"deploy/drills/hosts\.py"):
        call_command("cluster", "--headless", "--cut", "web-data:1:1")
    with pytest.raises(CommandError, match="--webs"):
        call_command("cluster", "--webs", "0")


def test_script_prints_errors_and_usage() -> None:
    script = [sys.executable, "-m", "deploy.drills.hosts"]
    done = subprocess.run([*script, "--subnet", "10.0.0.0/31"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Error: 10.0.0.0/31" in done.stderr
    told = subprocess.run([*script, "--help"], capture_output=True, check=False, text=True)
    assert "Needs root and iproute2" in told.stdout


def test_unplugged_machine_hears_nobody_and_sides_of_several_hear_each_other(
    planned: Machines,
) -> None:
    web, data, bots = (planned.named[name] for name in ("web", "data", "bots"))
    assert namespaces.unplug(web, cut=True) == [("link", "set", "dev", "room-web", "nomaster")]
    assert namespaces.unplug(web, cut=False)[0][-2:] == ("master", namespaces.BRIDGE)
    cutting = namespaces.separate([web], [data, bots], cut=True)
    assert [(line[1], line[4]) for line in cutting] == [
        ("room-web", data.address),
        ("room-web", bots.address),
        ("room-data", web.address),
        ("room-bots", web.address),
    ]
    assert all(line[2:4] == ("neigh", "replace") and namespaces.NOBODY in line for line in cutting)
    healing = namespaces.separate([web], [data, bots], cut=False)
    assert [(line[1], line[3], line[4]) for line in healing] == [
        (line[1], "delete", line[4]) for line in cutting
    ]


class Room:
    """Tables in a real Redis, a clock set by hand, and recorded commands."""

    def __init__(self, redis: Redis, planned: Machines, *cuts: str, **more: Any) -> None:
        self.redis = redis
        self.now_s = 100.0
        self.ran: list[list[Command]] = []
        self.pulse = Pulse(world.servers.room.url, clock=lambda: self.now_s)
        self.partitions = Partitions(
            [cut(text) for text in cuts],
            planned,
            self.pulse,
            divide=lambda commands: self.ran.append(list(commands)),
            clock=lambda: self.now_s,
            **more,
        )

    def tell(self, number: int) -> None:
        """Append an event to the one table; return after the pulse has read it."""
        self.redis.zadd("{0}:wakes", {"table:1": 1.0})
        self.redis.hset("{0}:table:1", "epoch", 1)
        self.redis.xadd("{0}:table:1:events", {"e": "{}"}, id=f"1-{number}")
        self.pulse.end(self.pulse.begin("look"))

    def at(self, now_s: float) -> None:
        self.now_s = now_s
        self.partitions.cut_and_heal()


@pytest.fixture
def playing(room: Redis, planned: Machines) -> Iterator[Room]:
    made = Room(room, planned, "workers-data:10:5", "web-data:30:2")
    yield made
    made.pulse.close()


def test_cuts_are_counted_from_the_first_table_and_measured(playing: Room) -> None:
    playing.at(150.0)
    assert playing.ran == [], "no cut before play"
    playing.tell(1)
    playing.at(200.0)
    playing.at(209.9)
    assert playing.ran == []
    playing.at(210.0)
    (made,) = playing.ran
    assert [line[3] for line in made] == ["room-workers", "room-data"]
    assert all(line[-2:] == ("isolated", "on") for line in made)
    playing.at(214.9)
    assert len(playing.ran) == 1
    playing.at(215.0)
    assert [line[3:] for line in playing.ran[1]] == [
        (port, "type", "bridge_slave", "isolated", "off") for port in ("room-workers", "room-data")
    ]
    playing.now_s = 217.0
    playing.tell(2)
    playing.now_s = 218.5
    playing.tell(3)
    playing.at(218.6)
    (told,) = playing.partitions.report()
    assert told == {
        "between": "workers-data",
        "after_s": 10.0,
        "lasted_s": 5.0,
        "tables": 1,
        "stood_s": 7.0,
        "stood_after_heal_s": 2.0,
    }
    assert playing.partitions.violations() == ["web-data was not cut: the tournament was over"]


def test_machine_cut_off_one_way_still_receives(room: Redis, planned: Machines) -> None:
    playing = Room(room, planned, "data>workers:0:2")
    playing.tell(1)
    playing.at(200.0)
    playing.at(200.1)
    playing.at(202.2)
    playing.pulse.close()
    workers = f"{planned.of('play').address}/32"
    assert playing.ran == [
        [("-n", "room-data", "route", doing, "blackhole", workers)] for doing in ("add", "delete")
    ]


def test_each_form_of_a_cut_has_its_commands(room: Redis, planned: Machines) -> None:
    playing = Room(room, planned, "data:0:2", "data-web+bots:10:2", "data>web+bots:20:2")
    playing.tell(1)
    for now_s in (200.0, 200.1, 202.2, 210.1, 212.2, 220.1, 222.2):
        playing.at(now_s)
    playing.pulse.close()
    web, data, bots = (planned.named[name] for name in ("web", "data", "bots"))
    both = [data], [web, bots]
    assert playing.ran == [
        namespaces.unplug(data, cut=True),
        namespaces.unplug(data, cut=False),
        namespaces.separate(*both, cut=True),
        namespaces.separate(*both, cut=False),
        [line for one in (web, bots) for line in namespaces.mute(data, one, cut=True)],
        [line for one in (web, bots) for line in namespaces.mute(data, one, cut=False)],
    ]


def test_report_names_endangered_shards_and_the_silence_of_each(
    room: Redis, planned: Machines
) -> None:
    playing = Room(room, planned, "data:10:5", endangers=lambda one: frozenset({2, 3}), shards=1)
    playing.tell(1)
    playing.at(200.0)
    playing.at(210.0)
    playing.at(215.0)
    playing.now_s = 216.0
    playing.tell(2)
    playing.partitions.finish()
    playing.pulse.close()
    (told,) = playing.partitions.report()
    assert (told["shards"], told["stood_s_by_shard"]) == ([2, 3], {0: 6.0})
    assert playing.partitions.endangered == {2, 3}


def test_last_cut_is_healed_and_silent_tables_are_named(
    playing: Room,
) -> None:
    playing.tell(1)
    playing.at(200.0)
    playing.at(211.0)
    playing.partitions.finish()
    assert playing.ran[-1][0][-1] == "off"
    wrong = playing.partitions.violations()
    assert "not recovered from the cut workers-data: table:1" in wrong
