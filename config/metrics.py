"""Prometheus metrics of the room, summed over the processes of one machine.

Processes share the folder PROMETHEUS_MULTIPROC_DIR; without it each counts alone. A restarted
process continues the counts of its name. Gauges of servers are read at each scrape
(`at_every_look`).
"""

from __future__ import annotations

import glob
import json
import os
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

import structlog
from django.db import Error as DatabaseError
from django.utils.crypto import constant_time_compare
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
    values,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.registry import REGISTRY
from redis.exceptions import RedisError

from config.files.counter_files import CounterFile

log = structlog.get_logger(__name__)

FOLDER = "PROMETHEUS_MULTIPROC_DIR"

_DAMAGES = (ValueError, RuntimeError, struct.error)
"""Errors of the library for a file of counters that it cannot read."""


def _drop_damaged(files: Iterable[Path]) -> None:
    """Delete files of counters that cannot be read, as a loss of power leaves them.

    With such a file its process would never start again, and none would tell any counter.
    """
    for file in files:
        try:
            _verify(file)
        except _DAMAGES as error:
            log.error(
                "file of counters is damaged, they begin anew", file=file.name, error=str(error)
            )
            file.unlink(missing_ok=True)


def _verify(file: Path) -> None:
    """Raise one of _DAMAGES for a file that cannot be read; an empty one is only just made."""
    try:
        with file.open("rb") as opened:
            head, size = opened.read(4), file.stat().st_size
    except FileNotFoundError:
        return
    if head and not 0 <= struct.unpack("i", head)[0] <= size:
        raise ValueError("it is cut off")
    if head:
        # The library leaves it without types.
        for name, *_ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            json.loads(name)


if os.environ.get(FOLDER):
    Path(os.environ[FOLDER]).mkdir(parents=True, exist_ok=True)
    if os.environ.get("PROCESS_NAME"):
        _mine = f"*_{glob.escape(os.environ['PROCESS_NAME'])}.db"
        _drop_damaged(Path(os.environ[FOLDER]).glob(_mine))
    values.MmapedDict = CounterFile  # type: ignore[attr-defined]
    # The library leaves these two without types.
    values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
        lambda: os.environ.get("PROCESS_NAME") or os.getpid()
    )

_SPANS_S = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

DECISIONS = Counter("room_decisions", "Commands of players that were obeyed or refused")
COMMAND_S = Histogram(
    "room_command_seconds", "From a command's arrival to its commit", buckets=_SPANS_S
)
CUTS = Counter("room_cuts", "Seats dealt in, by what became of their pledge", ["state"])
CUT_WAIT_S = Histogram(
    "room_cut_wait_seconds",
    "Time by which a called hand was dealt later than without a cut",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0),
)
LATENESS_S = Histogram(
    "room_deadline_lateness_seconds", "How late a deadline struck", buckets=_SPANS_S
)
STREAM_LAG_S = Histogram(
    "room_stream_lag_seconds", "From the hint of a commit to the sockets", buckets=_SPANS_S
)
BELL_WAIT_S = Histogram(
    "room_bell_wait_seconds",
    "From the ring of a bell until a worker takes it",
    ["desk"],
    buckets=_SPANS_S,
)
BALANCER_S = Histogram(
    "room_balancer_seconds",
    "What the balancer took to plan for one table",
    buckets=(0.000_5, 0.001, *_SPANS_S),
)
BALANCER_READ = Counter(
    "room_balancer_records_read",
    "Table sizes read from PostgreSQL: of a whole field, or of the tables that a record missed",
    ["what"],
)
SETTLED = Counter("room_hands_settled", "Hands brought into PostgreSQL")
SETTLE_S = Histogram(
    "room_settle_seconds", "From the end of a hand to its settlement", buckets=_SPANS_S
)
FAULTS = Counter("room_faults", "What went wrong and was put right", ["kind"])

ALERTED = (
    *("postgresql_lost_data", "redis_lost_data", "deck_key_missing", "table_failed"),
    *("unreadable_state", "busy", "log_delayed", "log_stopped", "conduct_delayed"),
    "conduct_stopped",
)
"""Kinds of faults that alerts ask for, told as 0 before the first one.

Prometheus sees no increase in a series that begins with 1: a fault that strikes once in the life of
a process would wake nobody.
"""

for _kind in ALERTED:
    FAULTS.labels(_kind)

WAITS_S = 3.0
"""Time in s after which no further source of gauges is asked.

Each source may wait for a server that hangs, and Prometheus gives a scrape up after 10 s: the
alert would be that of a silent web process, and the counters would be missing.
"""

Row = tuple[str, str, dict[str, str], float]
"""Gauge: name, description, labels, value."""

_asked: list[Callable[[], Iterable[Row]]] = []


def at_every_look(ask: Callable[[], Iterable[Row]]) -> None:
    """Call `ask` for its gauges at every scrape."""
    _asked.append(ask)


def text() -> bytes:
    """Return all metrics in the format of Prometheus."""
    gauges = CollectorRegistry(auto_describe=False)
    gauges.register(_Gauges())
    return counters() + bytes(generate_latest(gauges))


def counters() -> bytes:
    """Return the counters of all processes that share the folder; ask no server."""
    registry: CollectorRegistry = REGISTRY
    if os.environ.get(FOLDER):
        registry = CollectorRegistry()
        _Files(registry)  # type: ignore[no-untyped-call]
    try:
        return bytes(generate_latest(registry))
    except _DAMAGES:
        _drop_damaged(Path(os.environ.get(FOLDER) or os.devnull).glob("*.db"))
        return bytes(generate_latest(registry))


def may_read(shown: str, token: str) -> bool:
    """Return whether an `Authorization` header carries the token."""
    return constant_time_compare(shown, f"Bearer {token}")


def fresh(folder: Path) -> None:
    """Empty the metrics folder for the processes of a starting room."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink()


class _Files(multiprocess.MultiProcessCollector):
    """Collector that passes empty files by: just made, or of a process before a loss of power."""

    def collect(self) -> Iterable[Metric]:
        """Return the sums over all files that hold counters."""
        files = [file for file in Path(self._path).glob("*.db") if _size(file)]
        # The library leaves it without types.
        merged = self.merge(list(map(str, files)))  # type: ignore[no-untyped-call]
        return cast(Iterable[Metric], merged)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class _Gauges:
    def collect(self) -> Iterable[Metric]:
        """Yield the gauges of every registered source, grouped by name."""
        families: dict[str, GaugeMetricFamily] = {}
        for name, what, labels, value in _gauges():
            if name not in families:
                families[name] = GaugeMetricFamily(name, what, labels=list(labels))
            families[name].add_metric(list(labels.values()), value)
        return families.values()


def _gauges() -> Iterator[Row]:
    """Return the available gauges, and the number of sources that failed or were not asked."""
    unanswered, began_s = 0, time.monotonic()
    for ask in _asked:
        if time.monotonic() - began_s > WAITS_S:
            unanswered += 1
            continue
        try:
            yield from ask()
        except (DatabaseError, RedisError):
            unanswered += 1
    yield "room_gauges_unanswered", "Sources of gauges that could not be read", {}, unanswered
