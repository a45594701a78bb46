"""Entry point of one Celery worker, with its queues by kind and number."""

from __future__ import annotations

import os
import sys

import django
from celery.signals import worker_ready
from django.conf import settings
from django.utils.module_loading import import_string

from config.celery import SETTLE, TOURNAMENT, app, play_queues
from config.process import garbage, metrics_listener, server_checks

PLAY, SETTLING = "play", "settle"


def queues(kind: str, number: int) -> list[str]:
    """Return the queues of worker `number` (from 0) of a kind; raise ValueError otherwise."""
    if kind == SETTLING and number >= 0:
        return [TOURNAMENT, SETTLE]  # in this order: ticks do not wait behind a rush of hands
    if kind == PLAY and 0 <= number < settings.PLAY_WORKERS:
        return play_queues(number, settings.PLAY_WORKERS)
    raise ValueError(
        f"there is no worker {kind} {number}: it is {PLAY} 0 to {settings.PLAY_WORKERS - 1}"
        f" (PLAY_WORKERS), or {SETTLING} and a number"
    )


def arguments(kind: str, number: int) -> list[str]:
    """Return the command line of Celery."""
    return [
        *("worker", "-P", "solo", "-n", f"{kind}{number}@%h"),
        *("-Q", ",".join(queues(kind, number)), "-l", "INFO"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


@worker_ready.connect
def _spare_start(**_: object) -> None:
    # A full collection among the objects of the start stops a worker for 70 to 200 ms, in a busy
    # room twice a minute.
    garbage.spare_start()


def main(given: list[str]) -> None:
    """Work until told to stop; arguments beyond kind and number are passed to Celery."""
    try:
        kind, number, *more = given
        told = [*arguments(kind, int(number)), *more]
    except ValueError as wrong:
        sys.exit(f"usage: python -m config.worker {PLAY}|{SETTLING} NUMBER\nError: {wrong}")
    django.setup()  # installs the log formatter before the listener can report an error
    server_checks.verify_or_exit(kind)
    try:
        # Apps lie above this module: they are reached by name, as in celery.
        for hold in ("tables.workers.starting.hold_keys", "tables.fairlog.keeping.hold_key"):
            import_string(hold)(kind)
    except Exception as wrong:
        sys.exit(f"Error: {wrong}")
    metrics_listener.start()
    # Celery's command line reads the room's own variable, which may be an address that it lacks.
    os.environ["BROKER_URL"] = str(app.conf.broker_url)
    app.worker_main(told)


if __name__ == "__main__":
    main(sys.argv[1:])
