"""Programs of a room's processes, each with its check of readiness."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import socket

from config import metrics
from config.environment import HOME, text
from deploy.embedded import network, ports, postgres, redis_cluster, valkey
from deploy.embedded import standbys as standby_servers
from deploy.embedded.program import Program
from deploy.embedded.servers import Servers
from deploy.processes import roster
from deploy.processes.layout import Layout
from deploy.processes.roster import Role


def servers(layout: Layout) -> list[Program]:
    """Return the embedded servers, except those the environment names elsewhere."""
    laid_out = layout.servers()
    prepare: dict[str, Callable[[], list[Program]]] = {
        "postgres": lambda: [postgres.prepare(laid_out.postgres)],
        "broker": lambda: [valkey.prepare(laid_out.broker)],
        "room": lambda: _room(laid_out),
    }
    return [
        replace(program, network=layout.machine(program.name).network)
        for name, make in prepare.items()
        if name in layout.embedded
        for program in make()
    ]


def standbys(layout: Layout) -> list[Program]:
    """Return the standbys of PostgreSQL and of the broker; the servers they follow must run."""
    laid_out = layout.servers()
    if laid_out.standbys is None:
        return []
    return standby_servers.prepare(laid_out.standbys, laid_out.postgres, laid_out.broker)


def _room(laid_out: Servers) -> list[Program]:
    if laid_out.nodes:
        return redis_cluster.prepare(laid_out.nodes, laid_out.masters)
    return [valkey.prepare(laid_out.room)]


def webs(layout: Layout, listening: socket, many: int = roster.WEB.many) -> list[Program]:
    """Return the web processes, all on one listening socket that outlives them."""
    descriptor = listening.fileno()
    command = roster.WEB.line(listens=f"fd:{descriptor}")
    ready = partial(answers, f"{layout.near}/healthz")
    names = ["web"] if many == 1 else [f"web{number}" for number in range(many)]
    return [
        replace(_python(layout, "web", name, command, ready), descriptors=(descriptor,))
        for name in names
    ]


def web_twin(layout: Layout) -> Program:
    """Return the web process on the second web host of a drill over several machines."""
    command = roster.WEB.line(listens=layout.twin.removeprefix("http://"))
    return _python(
        layout, roster.TWIN, roster.TWIN, command, partial(answers, f"{layout.twin}/healthz")
    )


def workers(layout: Layout) -> list[Program]:
    """Return the play workers, each with its share of the queues, and the settle workers."""
    roles = (roster.PLAY, roster.SETTLE)
    return [_worker(layout, role, number) for role in roles for number in range(role.many)]


def proxy(layout: Layout) -> Program:
    """Return the proxy of the layout's detours, for runs that cut connections."""
    routes = [f"{port}:{target}" for port, target in layout.routes()]
    first = layout.routes()[0][0]
    arguments = ["-m", "deploy.faults.proxy", *routes]
    return _python(layout, "proxy", "proxy", arguments, lambda: not ports.is_free(first))


def swarm(layout: Layout, arguments: list[str], report: Path) -> Program:
    """Return the bots: ordinary clients of the web process, running until their report
    is written.
    """
    report.parent.mkdir(parents=True, exist_ok=True)
    tally = report.with_suffix(".tally")
    for left in (report, tally):
        left.unlink(missing_ok=True)
    files = ["--report", str(report), "--tally", str(tally)]
    command = [str(HOME / "manage.py"), "swarm", "--url", layout.pages, *files]
    running = _python(layout, "swarm", "swarm", [*command, *arguments], lambda: True)
    return replace(running, ended=report.exists)


def auditor(layout: Layout) -> Program:
    """Return the auditor, which constantly checks the invariants."""
    return _alone(layout, roster.AUDITOR)


def deliveries(layout: Layout) -> Program:
    """Return the process that sends mail and the messages of webhooks."""
    return _alone(layout, roster.DELIVERIES)


def cards_up(layout: Layout) -> Program:
    """Return the process that tells settled hands again with their cards."""
    return _alone(layout, roster.CARDS_UP)


def _alone(layout: Layout, role: Role) -> Program:
    return _python(layout, role.kind, role.kind, role.line(), lambda: True, role.environment)


def _worker(layout: Layout, role: Role, number: int) -> Program:
    name = f"{role.kind}{number}"
    mark = layout.run / f"{name}.ready"
    environment = {"READY_FILE": str(mark), **role.environment}
    command = role.line(number=str(number))
    return replace(_python(layout, role.kind, name, command, mark.exists, environment), mark=mark)


def _python(
    layout: Layout,
    kind: str,
    name: str,
    arguments: list[str],
    ready: Callable[[], bool],
    environment: Mapping[str, str] | None = None,
) -> Program:
    own = {
        "PROCESS_NAME": name,
        "PYTHONUNBUFFERED": "1",
        metrics.FOLDER: str(layout.run / "metrics"),
        **_own_role(kind),
        **(environment or {}),
    }
    return Program(
        name=name,
        argv=(sys.executable, *arguments),
        directory=Path(HOME),
        log=layout.logs / f"{name}.log",
        environment={**layout.environment(), **layout.detours(), **own},
        network=layout.machines.of(kind).network,
        ready=ready,
    )


def _own_role(kind: str) -> dict[str, str]:
    """Return the database address of a kind of process that the operator gave it alone."""
    url = text(f"DATABASE_URL_{kind.upper()}", "")
    return {"DATABASE_URL": url} if url else {}


def answers(url: str) -> bool:
    """Return whether the page at an address of this room answers 200."""
    try:
        with network.open_directly(url, within_s=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
