"""The processes a room is made of, and how to tell that each of them is ready."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from socket import socket
from urllib.error import URLError
from urllib.request import urlopen

from config import metrics
from config.celery import SETTLE, TOURNAMENT, play_queues
from config.cluster.layout import Layout
from config.embedded import ports, postgres, valkey
from config.embedded.program import Program
from config.environment import HOME

PLAY_WORKERS = 2
SETTLE_WORKERS = 2
WORKER_CONNECTION_AGE_S = 600


def servers(layout: Layout) -> list[Program]:
    """The embedded servers, as far as the environment did not name running ones."""
    laid_out = layout.servers()
    prepare: dict[str, Callable[[], Program]] = {
        "postgres": lambda: postgres.prepare(laid_out.postgres),
        "broker": lambda: valkey.prepare(laid_out.broker),
        "room": lambda: valkey.prepare(laid_out.room),
    }
    return [make() for name, make in prepare.items() if name in layout.embedded]


def web(layout: Layout, listening: socket) -> Program:
    """Pages and sockets, served on a socket that outlives the process."""
    descriptor = listening.fileno()
    running = _python(
        layout,
        "web",
        ["-m", "config.cluster.serve", str(descriptor)],
        ready=lambda: _answers(f"{layout.url}/healthz"),
    )
    return replace(running, descriptors=(descriptor,))


def workers(layout: Layout) -> list[Program]:
    """The play workers, each with its share of the queues, and the settle workers."""
    queues = {f"play{n}": play_queues(n, PLAY_WORKERS) for n in range(PLAY_WORKERS)}
    queues |= {f"settle{n}": [TOURNAMENT, SETTLE] for n in range(SETTLE_WORKERS)}
    return [_worker(layout, name, own) for name, own in queues.items()]


def proxy(layout: Layout) -> Program:
    """The proxy of the layout's detours, for runs that cut connections."""
    routes = [f"{port}:{target}" for port, target in layout.routes()]
    first = layout.routes()[0][0]
    arguments = ["-m", "config.cluster.proxy", *routes]
    return _python(layout, "proxy", arguments, ready=lambda: not ports.is_free(first))


def swarm(layout: Layout, arguments: list[str], report: Path) -> Program:
    """The bots: ordinary clients of the web process, until they wrote their report."""
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [str(HOME / "manage.py"), "swarm", "--url", layout.pages, "--report", str(report)]
    running = _python(layout, "swarm", [*command, *arguments], ready=lambda: True)
    return replace(running, ended=report.exists)


def auditor(layout: Layout) -> Program:
    """Looks all the time for what can never happen."""
    arguments = [str(HOME / "manage.py"), "audit", "--watch"]
    return _python(layout, "auditor", arguments, ready=lambda: True)


def _worker(layout: Layout, name: str, queues: list[str]) -> Program:
    mark = layout.run / f"{name}.ready"
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.unlink(missing_ok=True)
    arguments = [
        *("-m", "celery", "-A", "config.celery", "worker", "-P", "solo", "-n", f"{name}@%h"),
        *("-Q", ",".join(queues), "-l", "INFO"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
    environment = {
        "READY_FILE": str(mark),
        "DATABASE_CONNECTION_AGE_S": str(WORKER_CONNECTION_AGE_S),
    }
    return _python(layout, name, arguments, mark.exists, environment)


def _python(
    layout: Layout,
    name: str,
    arguments: list[str],
    ready: Callable[[], bool],
    environment: dict[str, str] | None = None,
) -> Program:
    own = {
        "PROCESS_NAME": name,
        "PYTHONUNBUFFERED": "1",
        metrics.FOLDER: str(layout.run / "metrics"),
        **(environment or {}),
    }
    return Program(
        name=name,
        argv=(sys.executable, *arguments),
        directory=Path(HOME),
        log=layout.logs / f"{name}.log",
        environment={**layout.environment(), **layout.detours(), **own},
        ready=ready,
    )


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=2) as answer:  # nosec B310
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
