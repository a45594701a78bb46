"""Several machines on one: network namespaces on a bridge, as commands of iproute2."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Network

from deploy.embedded.network import PLACES
from deploy.processes.machines import Machine, Machines
from deploy.processes.roster import MACHINES, cluster_machines

PREFIX = "room-"
"""Beginning of the names of namespaces and of links."""
BRIDGE = f"{PREFIX}bridge"
INNER = "eth0"
SUBNET = "10.213.77.0/24"
NOBODY = "02:00:00:00:00:01"
"""Link address that no machine has."""

Command = tuple[str, ...]
"""Arguments of `ip`."""


class NamespaceFailed(Exception):
    """Command of iproute2 is missing or failed; the message has its output."""


def plan(subnet: str = SUBNET, masters: int = 0) -> Machines:
    """Return a machine for each of the roster's, in a subnet with the host at its first address.

    The nodes of a Redis Cluster of `masters` have as many machines of their own. Raises ValueError
    when the subnet is no network of IPv4, or too small.
    """
    addresses = [str(address) for address in IPv4Network(subnet).hosts()][1:]
    names = [*MACHINES, *cluster_machines(masters)]
    if len(addresses) < len(names):
        raise ValueError(f"{subnet} has no {len(names) + 1} addresses")
    return Machines(
        {
            name: Machine(address, PLACES / f"{PREFIX}{name}", f"{PREFIX}{name}")
            for name, address in zip(names, addresses, strict=False)
        }
    )


def build(machines: Machines, subnet: str) -> list[Command]:
    """Return the commands that create the bridge and every machine with its link."""
    network = IPv4Network(subnet)
    made: list[Command] = [
        ("link", "add", BRIDGE, "type", "bridge"),
        ("address", "add", f"{network[1]}/{network.prefixlen}", "dev", BRIDGE),
        ("link", "set", BRIDGE, "up"),
    ]
    for one in machines.named.values():
        assert one.network is not None and one.port is not None
        name = one.network.name
        made += [
            ("netns", "add", name),
            ("link", "add", one.port, "type", "veth", "peer", "name", INNER, "netns", name),
            ("link", "set", one.port, "master", BRIDGE, "up"),
            ("-n", name, "address", "add", f"{one.address}/{network.prefixlen}", "dev", INNER),
            ("-n", name, "link", "set", INNER, "up"),
            ("-n", name, "link", "set", "lo", "up"),
        ]
    return made


def remove(machines: Machines) -> list[Command]:
    """Return the commands that remove everything of `build`."""
    made: list[Command] = []
    for one in machines.named.values():
        assert one.network is not None and one.port is not None
        made += [("link", "delete", one.port), ("netns", "delete", one.network.name)]
    return [*made, ("link", "delete", BRIDGE)]


def divide(machines: Sequence[Machine], *, cut: bool) -> list[Command]:
    """Return the commands that silently cut machines off from each other, or reconnect them.

    The bridge forwards nothing between isolated ports; all other links stay whole.
    """
    state = "on" if cut else "off"
    ports = [one.port for one in machines]
    return [
        ("link", "set", "dev", port, "type", "bridge_slave", "isolated", state)
        for port in ports
        if port is not None
    ]


def unplug(machine: Machine, *, cut: bool) -> list[Command]:
    """Return the commands that silently cut a machine off from all others and from this one, or
    reconnect it.
    """
    assert machine.port is not None
    to = ("nomaster",) if cut else ("master", BRIDGE)
    return [("link", "set", "dev", machine.port, *to)]


def separate(some: Sequence[Machine], others: Sequence[Machine], *, cut: bool) -> list[Command]:
    """Return the commands that silently cut each of some machines off from each of others, or
    reconnect them.

    Isolated ports would cut the machines of one side off from each other, too. Here both ends send
    to a link address that nobody has.
    """
    made: list[Command] = []
    pairs = [(one, other) for one in some for other in others]
    for speaker, listener in (*pairs, *((other, one) for one, other in pairs)):
        assert speaker.network is not None
        neighbour = ("neigh", "replace" if cut else "delete", listener.address, "dev", INNER)
        nowhere = ("lladdr", NOBODY, "nud", "permanent") if cut else ()
        made.append(("-n", speaker.network.name, *neighbour, *nowhere))
    return made


def mute(speaker: Machine, listener: Machine, *, cut: bool) -> list[Command]:
    """Return the commands that drop packets from one machine to another one way, or
    restore them.
    """
    assert speaker.network is not None
    doing = "add" if cut else "delete"
    route = ("route", doing, "blackhole", f"{listener.address}/32")
    return [("-n", speaker.network.name, *route)]


def run(commands: Sequence[Command]) -> str:
    """Run all commands; return their output.

    Raises NoNetwork at the first that fails.
    """
    ip = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if ip is None:
        raise NamespaceFailed("There is no program ip: apt-get install iproute2")
    said = ""
    for command in commands:
        done = subprocess.run([ip, *command], capture_output=True, text=True, check=False)
        if done.returncode:
            raise NamespaceFailed(f"ip {' '.join(command)}: {done.stderr.strip()}")
        said += done.stdout
    return said


def leftovers() -> Machines:
    """Return the machines of an earlier run, which may have had more than the next one has."""
    known = [PLACES / f"{PREFIX}{name}" for name in MACHINES]
    places = [*known, *sorted(PLACES.glob(f"{PREFIX}data[0-9]*"))]
    return Machines({place.name: Machine("", place, place.name) for place in places})


def inhabitants(machines: Machines) -> list[int]:
    """Return the ids of the processes in the machines, including an earlier run's."""
    there = [one.network for one in machines.named.values() if one.network is not None]
    names = [place.name for place in there if place.exists()]
    return [int(pid) for name in names for pid in run([("netns", "pids", name)]).split()]


def clear(machines: Machines) -> None:
    """Remove existing machines; missing ones are no error."""
    for command in remove(machines):
        with suppress(NamespaceFailed):
            run([command])
