"""Time from SIGTERM to the end of each worker of an idle room: `python -m tests.bench.drain`."""

from __future__ import annotations

import signal
from time import monotonic, sleep

from deploy.processes.supervisor import Supervisor
from tests.bench.shared import rooms
from tests.bench.shared.report import note

WORKERS = ("play0", "settle0", "play1", "settle1")
ROUNDS = 3
STEADY_S = 2.0
"""Time from the start of a worker until it is asked to stop: it waits for messages then."""


def main() -> None:
    """Stop each worker some times, one after the other; print and note the longest time in ms."""
    with rooms.opened() as (supervisor, layout):
        rooms.start_workers(supervisor, layout)
        sleep(STEADY_S)
        took_ms = [stop_ms(supervisor, name) for _ in range(ROUNDS) for name in WORKERS]
    print(f"\n  a worker ends within ms: {', '.join(f'{ms:.0f}' for ms in sorted(took_ms))}")
    note({"drain.longest_ms": round(max(took_ms), 1)})


def stop_ms(supervisor: Supervisor, name: str) -> float:
    """Return the ms from SIGTERM to the end of a worker, and wait for the next one of its name."""
    began_s = monotonic()
    supervisor.signal(name, signal.SIGTERM)
    while supervisor.pid(name) is not None:
        sleep(0.002)
    took_s = monotonic() - began_s
    while supervisor.pid(name) is None or not supervisor.serves(name):
        supervisor.tend()
        sleep(0.05)
    sleep(STEADY_S)
    return took_s * 1_000


if __name__ == "__main__":
    main()
