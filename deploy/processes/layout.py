"""Files and ports of one local room, chosen before it starts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from config import environment
from deploy.embedded import network, ports, servers
from deploy.embedded.servers import Servers
from deploy.processes import machines as machines_of
from deploy.processes.machines import PLAN, Machine, Machines
from deploy.processes.roster import TWIN

WEB_PORT = 8000
EMBEDDED = "ROOM_EMBEDDED"
PORTS = "ROOM_PORTS"
LAN = "ROOM_LAN"
MASTERS = "ROOM_MASTERS"
STANDBYS = "ROOM_STANDBYS"
DETOUR = "detour_"
"""Prefix of a port that leads, through a proxy, to the port of that name."""

ALONE = {"postgres": 5432, "room": 6379, "broker": 6380}
"""Fixed ports on machines that were created for the room."""

NODE_PORT, BUS_ABOVE = 7000, 10_000
"""First port of a cluster's nodes on such machines, and how far above it their own talk is."""

SHARDS_PER_MASTER = 2
"""Slices of the keys for each master of an embedded cluster: one can be moved, one stays."""

SERVERS = {"postgres": "DATABASE_URL", "room": "ROOM_REDIS_URL", "broker": "BROKER_URL"}


class PortTaken(Exception):
    """Port of this layout was taken since it was chosen; `name` is the process of the port."""

    def __init__(self, name: str, port: int) -> None:
        super().__init__(f"port {port} of {name} was taken meanwhile")
        self.name = name


class PlayersNetworkMissing(Exception):
    """Players of the local network were invited, but this machine is in no network."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Folder of a room, its ports by process name, its embedded servers, and its machines.

    `lan` is this machine's address in its network when players there may join, else empty. The
    room's Redis Cluster has `masters`; 0 is one server. With `standbys` PostgreSQL and the broker
    have one each.
    """

    home: Path
    ports: dict[str, int]
    embedded: frozenset[str]
    machines: Machines = field(default_factory=Machines)
    lan: str = ""
    masters: int = 0
    standbys: bool = False

    @property
    def data(self) -> Path:
        """Folder of data that must survive a restart."""
        return self.home / "data"

    @property
    def logs(self) -> Path:
        """Folder of logs, one per process."""
        return self.home / "log"

    @property
    def mail(self) -> Path:
        """Folder of the mail that a room without a mail server would have sent."""
        return self.home / "mail"

    @property
    def run(self) -> Path:
        """Folder of files that live only as long as the processes."""
        return self.home / "run"

    @property
    def url(self) -> str:
        """Return the address to type into a browser."""
        return f"http://{self.lan or self._address()}:{self.ports['web']}"

    @property
    def near(self) -> str:
        """Return the address of the pages for the processes of this room."""
        return f"http://{self._address()}:{self.ports['web']}"

    @property
    def listens(self) -> str:
        """Return the listening address of the pages: this machine alone, or its network as well."""
        return network.EVERYWHERE if self.lan else self._address()

    @property
    def twin(self) -> str:
        """Return the address of the pages on the second web host, which drills have."""
        return f"http://{self.machines.of(TWIN).address}:{self.ports['web']}"

    def machine(self, process: str) -> Machine:
        """Return the machine of a kind of process, of a server, or of a node of the cluster."""
        return self.machines.of(process, self.masters)

    def servers(self) -> Servers:
        """Return the embedded servers on this layout's ports."""
        names = servers.node_names(self.masters)
        return servers.lay_out(
            self.data,
            self.logs,
            durable=True,
            port=self.ports,
            address=self.machine("postgres").address,
            masters=self.masters,
            standbys=self.standbys,
            nodes_at=[self.machine(name).address for name in names],
        )

    def owner_url(self) -> str:
        """Return the database address of its owner: embedded, or DATABASE_OWNER_URL, or empty."""
        if "postgres" in self.embedded:
            return self.servers().postgres.owner_url
        return environment.text("DATABASE_OWNER_URL", "")

    @property
    def pages(self) -> str:
        """Return the address for bots: through the fault proxy, when there is one."""
        port = self.ports.get(DETOUR + "web", self.ports["web"])
        return f"http://{self._address()}:{port}"

    def routes(self) -> list[tuple[int, int]]:
        """Return the ports of the proxy, each with its target port."""
        return [
            (port, self.ports[name.removeprefix(DETOUR)])
            for name, port in sorted(self.ports.items())
            if name.startswith(DETOUR)
        ]

    def detours(self) -> dict[str, str]:
        """Return the proxied addresses of servers, for the processes that use them."""
        found = {name: self.ports[DETOUR + name] for name in SERVERS if DETOUR + name in self.ports}
        around = replace(self, ports={**self.ports, **found}).servers().addresses()
        return {SERVERS[name]: around[SERVERS[name]] for name in found}

    def environment(self) -> dict[str, str]:
        """Return the environment of every process of this room."""
        addresses = self.servers().addresses()
        mine = {SERVERS[name]: addresses[SERVERS[name]] for name in sorted(self.embedded)}
        shards = {"SHARDS": str(SHARDS_PER_MASTER * self.masters)} if self.masters else {}
        return {
            **mine,
            **shards,
            "ROOM_LOCAL": str(self.home),
            "PUBLIC_URL": self.url,
            "ALLOWED_HOSTS": ",".join(self._hosts()),
            "CSRF_TRUSTED_ORIGINS": ",".join(self._origins()),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MAIL_URL": os.environ.get("MAIL_URL", f"file://{quote(str(self.mail))}"),
        }

    def _address(self) -> str:
        return self.machines.of("web").address

    def _hosts(self) -> Iterable[str]:
        lan = [self.lan] if self.lan else []
        twin = [self.machines.of(TWIN).address] if self.machines.named else []
        return dict.fromkeys(("127.0.0.1", "localhost", self._address(), *twin, *lan))

    def _origins(self) -> Iterable[str]:
        local = f"http://localhost:{self.ports['web']}"
        return dict.fromkeys((self.url, local, self.near, self.pages))

    def marks(self) -> dict[str, str]:
        """Return the layout as environment variables, for the process after exec."""
        return {
            EMBEDDED: ",".join(sorted(self.embedded)),
            PORTS: json.dumps(self.ports),
            PLAN: self.machines.text(),
            LAN: self.lan,
            MASTERS: str(self.masters),
            STANDBYS: "1" if self.standbys else "",
        }


def choose(
    home: Path,
    web_port: int | None,
    detours: Iterable[str] = (),
    *,
    lan: bool = False,
    masters: int = 0,
    standbys: bool = False,
) -> tuple[Layout, list[str]]:
    """Return a layout on the last ports where they are free, and messages about the others.

    `detours` are the names of ports that are also reachable through a proxy; with `lan` players of
    this machine's network may join. The room gets a Redis Cluster of `masters`, unless it is 0.
    Raises PlayersNetworkMissing when the machine is in no network.
    """
    home = home.resolve()
    machines = machines_of.read(os.environ.get(PLAN, ""))
    wanted = {"web": WEB_PORT, **_last(home), **({"web": web_port} if web_port else {})}
    embedded = frozenset(name for name, variable in SERVERS.items() if not os.environ.get(variable))
    if machines.named:
        alone = {**ALONE, **_node_ports(masters), "web": web_port or WEB_PORT}
        return Layout(home, alone, embedded, machines, masters=masters), []
    names = ["web", *SERVERS, *servers.more_ports(masters, standbys)]
    names += [DETOUR + name for name in detours]
    found = ports.several({name: wanted.get(name) for name in names})
    said = [
        f"port {wanted[name]} is taken by somebody else; {name} uses {port}"
        for name, port in found.items()
        if name in {"web", *embedded} and name in wanted and port != wanted[name]
    ]
    address = _own_address() if lan else ""
    return Layout(home, found, embedded, machines, address, masters, standbys), said


def verify(layout: Layout) -> None:
    """Raise PortTaken when another process listens on a port of this layout."""
    if layout.machines.named:
        return  # machines of this room have no other rooms
    more = servers.more_ports(layout.masters, layout.standbys)
    for name in sorted({"web", *layout.embedded, *more}):
        if not ports.is_free(layout.ports[name]):
            raise PortTaken(name, layout.ports[name])


def moved(layout: Layout, name: str) -> Layout:
    """Return a layout with another free port for `name`."""
    return replace(layout, ports={**layout.ports, name: ports.free()})


def given(environment: Mapping[str, str]) -> Layout:
    """Return the layout that `marks` put into the environment."""
    embedded = frozenset(filter(None, environment[EMBEDDED].split(",")))
    machines = machines_of.read(environment.get(PLAN, ""))
    return Layout(
        home=Path(environment["ROOM_LOCAL"]),
        ports=json.loads(environment[PORTS]),
        embedded=embedded,
        machines=machines,
        lan=environment.get(LAN, ""),
        masters=int(environment.get(MASTERS, "0")),
        standbys=bool(environment.get(STANDBYS)),
    )


def remember(layout: Layout) -> None:
    """Write the ports, and the addresses for other commands of this machine (mode 0600).

    Makes the folder of mail, whose links log people in, for its owner alone.
    """
    layout.data.mkdir(parents=True, exist_ok=True)
    layout.mail.mkdir(exist_ok=True)
    layout.mail.chmod(0o700)
    _ports_file(layout.home).write_text(json.dumps(layout.ports))
    path = layout.home / "environment"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in layout.environment().items())


def _node_ports(masters: int) -> dict[str, int]:
    """Return the fixed ports of the nodes of a cluster, and those by which they speak."""
    found: dict[str, int] = {}
    for port, name in enumerate(servers.node_names(masters), NODE_PORT):
        found |= {name: port, servers.bus_of(name): port + BUS_ABOVE}
    return found


def _own_address() -> str:
    found = network.own_address()
    if found is None:
        raise PlayersNetworkMissing("this machine is in no network that others could come from")
    return found


def _last(home: Path) -> dict[str, int]:
    try:
        return {str(k): int(v) for k, v in json.loads(_ports_file(home).read_text()).items()}
    except (OSError, ValueError):
        return {}


def _ports_file(home: Path) -> Path:
    return home / "data" / "ports.json"
