"""Room on this machine from its first process to its last, interactive or headless."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from socket import socket

from config import metrics
from deploy.embedded import network, ports, servers, standbys
from deploy.embedded.program import Program
from deploy.faults.killing import Every, Killer
from deploy.faults.partitions import Cut
from deploy.measuring.log_errors import LogMarks
from deploy.preparation import room
from deploy.processes import layout as layouts
from deploy.processes import programs
from deploy.processes.asking import PolledAnswer
from deploy.processes.layout import Layout, PortTaken
from deploy.processes.lock import DataLock
from deploy.processes.supervisor import Supervisor
from deploy.processes.terminal import Terminal

TEND_S = 0.1
STATUS_LIVE_S = 1.0
STATUS_PLAIN_S = 5.0
LOG_KEPT_BYTES = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """Options of the operator; the defaults are an unattended run of fast bots.

    `fresh` deletes the data of an earlier run; a run is given up after `within_s` seconds. The
    hands of a headless run are written into the directory `export`.
    """

    players: int = 0
    seats: int = 6
    think: str = "fast"
    headless: bool = True
    until_finished: bool = True
    report: Path | None = None
    kills: tuple[Every, ...] = ()
    history: Path | None = None
    bots: bool = True
    fresh: bool = True
    within_s: float = 3_600
    offer: dict[str, object] = field(default_factory=dict)
    webs: int = 1
    cuts: tuple[Cut, ...] = ()
    export: Path | None = None
    export_format: str = "phh"


class Interrupted(Exception):
    """Room was asked to stop by a signal."""


class Room:
    """Processes of one room under one supervisor, and its terminal."""

    def __init__(self, layout: Layout, options: ClusterOptions, terminal: Terminal) -> None:
        self.layout = layout
        self.options = options
        self.terminal = terminal
        self._asked: list[str] = []
        self.supervisor = Supervisor(terminal.say, heed=self._heed)
        self.killed: Counter[str] = Counter()
        self._second: list[Program] = []
        self._marks: LogMarks | None = None
        self._next_status_s = 0.0

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Run the block with all processes but the bots up; every child is stopped at the end.

        Raises PortTaken before any start when another process took a port of the layout.
        """
        layout = self.layout
        with DataLock(layout.data / "lock"), _signals(self._asked), _listening(layout) as listening:
            try:
                self._open(listening)
                yield
            finally:
                try:
                    self.terminal.say("stopping")
                finally:  # also when the terminal is gone, as at the end of an SSH session
                    self.supervisor.stop()
                    (self.layout.home / "environment").unlink(missing_ok=True)

    def take_defects(self) -> list[str]:
        """Return a line for each crash and each kind of DEFECTS in the logs, and forget them."""
        assert self._marks is not None, "the room is open"
        return [*self.supervisor.take_crashes(), *self._marks.take_defects()]

    def start_second_workers(self) -> None:
        """Start the other half of the workers, wait for them, and start the auditor."""
        self.supervisor.start([*self._second, programs.auditor(self.layout)])

    def start_web_twin(self) -> None:
        """Start the second web host of a room over several machines."""
        self.supervisor.start([programs.web_twin(self.layout)])

    def start_deliveries(self) -> None:
        """Start the process of mail and webhooks; rooms of drills have none."""
        self.supervisor.start([programs.deliveries(self.layout)])

    def start_cards_up(self) -> None:
        """Start the process of the cards-up streams; only rooms that show cards need it."""
        self.supervisor.start([programs.cards_up(self.layout)])

    @property
    def swarm_report(self) -> Path:
        """Return the path of the swarm's report."""
        return self.layout.run / "swarm.json"

    def start_swarm(self, arguments: list[str]) -> None:
        """Start the bots."""
        self.supervisor.start([programs.swarm(self.layout, arguments, self.swarm_report)])

    def run(self, over: Callable[[], bool], beside: Callable[[], None] = lambda: None) -> None:
        """Tend to the processes until `over` is true, calling `beside` repeatedly.

        Neither `over` nor `beside` may block.
        """
        from deploy.cluster import status

        killer = Killer(self.options.kills, random.Random(), time.monotonic())  # nosec B311
        line = PolledAnswer(status.line, "", STATUS_LIVE_S)
        while not over():
            now_s = time.monotonic()
            self.supervisor.tend()
            killer.kill_due(self.supervisor, now_s)
            beside()
            self._tell_status(now_s, line.answer)
            time.sleep(TEND_S)
        self.killed.update(killer.killed)
        line.close()

    def _open(self, listening: socket) -> None:
        began_s = time.monotonic()
        if self.options.fresh:
            clear(self.layout)
        layouts.remember(self.layout)
        _turn_logs(self.layout.logs)
        self._marks = LogMarks(self.layout.logs)
        self.terminal.say(f"starting servers (files in {self.layout.servers().postgres.place})")
        metrics.fresh(self.layout.run / "metrics")
        self.supervisor.start(programs.servers(self.layout))
        if self.layout.standbys:
            self.supervisor.start(programs.standbys(self.layout))
            standbys.wait_for_copies(self.layout.servers().postgres)
        self.terminal.say("preparing the database")
        self._prepare()
        self.terminal.say("starting web and workers")
        if self.layout.routes():
            self.supervisor.start([programs.proxy(self.layout)])
        webs, workers = self._programs(listening)
        # One of each kind is enough to serve players; the others follow.
        self.supervisor.start([*webs, *workers[::2]])
        self._second = workers[1::2]
        self.terminal.say(f"ready after {time.monotonic() - began_s:.1f} s")

    def _prepare(self) -> None:
        """Make keys, tables and static files, as `manage.py prepare` does."""
        room.make_keys()
        room.migrate(self.layout.owner_url())
        # no process of the room may know the owner's address
        os.environ.pop("DATABASE_OWNER_URL", None)
        room.gather_static(self.terminal.say)

    def _programs(self, listening: socket) -> tuple[list[Program], list[Program]]:
        """Return the web processes and the workers."""
        webs = programs.webs(self.layout, listening, self.options.webs)
        return webs, programs.workers(self.layout)

    def _heed(self) -> None:
        """Raise a noted signal again, as Python drops exceptions inside destructors."""
        if self._asked:
            raise Interrupted(self._asked[0])

    def _tell_status(self, now_s: float, line: str) -> None:
        if line and now_s >= self._next_status_s:
            self.terminal.status(line)
            live = self.terminal.live
            self._next_status_s = now_s + (STATUS_LIVE_S if live else STATUS_PLAIN_S)


def clear(layout: Layout) -> None:
    """Delete all data of a room's servers; the caller holds the lock."""
    place = layout.servers().postgres.place
    nodes = [node.name for node in layout.servers().nodes]
    kept = ("postgres", "postgres.unfinished", "room", "broker", *nodes, *servers.STANDBY_NAMES)
    for name in kept:
        shutil.rmtree(place / name, ignore_errors=True)


def _turn_logs(logs: Path) -> None:
    logs.mkdir(parents=True, exist_ok=True)
    for log in logs.glob("*.log"):
        if log.stat().st_size > LOG_KEPT_BYTES:
            log.replace(log.with_suffix(".log.1"))


@contextmanager
def _listening(layout: Layout) -> Iterator[socket]:
    """Check the ports, and hold the port of the pages while the room is open."""
    layouts.verify(layout)
    try:
        listen = partial(ports.listen, layout.ports["web"], layout.listens)
        listening = network.inside(layout.machines.of("web").network, listen)
    except OSError:
        raise PortTaken("web", layout.ports["web"]) from None
    with listening:
        yield listening


@contextmanager
def _signals(asked: list[str]) -> Iterator[None]:
    """Note the first stop signal in `asked`, and raise Interrupted in the main thread."""
    names = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def interrupt(number: int, frame: object) -> None:
        # Once: while children are being stopped, further signals change nothing.
        for name in names:
            signal.signal(name, signal.SIG_IGN)
        asked.append(signal.Signals(number).name)
        raise Interrupted(asked[0])

    before = {name: signal.signal(name, interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
