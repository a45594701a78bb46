"""A site and a browser on two machines of one private network: a namespace for each, one cable."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from deploy.embedded import network
from deploy.processes import namespaces
from deploy.processes.namespaces import Command, NamespaceFailed

SITE, GUEST = "10.213.78.1", "10.213.78.2"
PREFIX = 30
PORT = 8000


@dataclass(frozen=True, slots=True)
class TwoMachines:
    """Names of the namespaces of a site and of a guest, which see each other and nobody else."""

    site: str
    guest: str

    @property
    def origin(self) -> str:
        """Return the address of the site, over plain http."""
        return f"http://{SITE}:{PORT}"

    def listening(self) -> socket.socket:
        """Return a socket of this process that hears the guest alone."""
        bind = partial(socket.create_server, (SITE, PORT))
        return network.inside(network.PLACES / self.site, bind)

    def browser(self, program: Path, folder: Path) -> Path:
        """Return a script in a folder that starts a browser on the machine of the guest."""
        script = folder / "browser"
        enter = f"nsenter --net={network.PLACES / self.guest}"
        script.write_text(f'#!/bin/sh\nexec {enter} "{program}" "$@"\n')
        script.chmod(0o755)
        return script

    def inhabitants(self) -> list[int]:
        """Return the ids of the processes on the machine of the guest."""
        return [int(pid) for pid in namespaces.run([("netns", "pids", self.guest)]).split()]


def why_not() -> str:
    """Return why this machine makes no namespaces, "" when it does."""
    if os.geteuid() != 0:
        return "Network namespaces need root: run this as root, or with sudo."
    name = f"room-tried-{os.getpid()}"
    try:
        namespaces.run([("netns", "add", name), ("netns", "delete", name)])
    except NamespaceFailed as refused:
        return str(refused)
    return ""


@contextmanager
def two_machines() -> Iterator[TwoMachines]:
    """Keep two machines for the length of the block; raises NamespaceFailed."""
    made = TwoMachines(f"room-site-{os.getpid()}", f"room-guest-{os.getpid()}")
    try:
        namespaces.run(_built(made))
        yield made
    finally:
        # The cable is gone with its ends.
        for name in (made.site, made.guest):
            with suppress(NamespaceFailed):
                namespaces.run([("netns", "delete", name)])


def _built(made: TwoMachines) -> list[Command]:
    inner = namespaces.INNER
    cable = ("link", "add", inner, "type", "veth", "peer", "name", inner, "netns", made.guest)
    commands: list[Command] = [
        ("netns", "add", made.site),
        ("netns", "add", made.guest),
        ("-n", made.site, *cable),
    ]
    for name, address in ((made.site, SITE), (made.guest, GUEST)):
        commands += [
            ("-n", name, "address", "add", f"{address}/{PREFIX}", "dev", inner),
            ("-n", name, "link", "set", inner, "up"),
            ("-n", name, "link", "set", "lo", "up"),
        ]
    return commands
