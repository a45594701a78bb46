"""Entry point of one Celery worker of a kind; any number of each kind comes and goes."""

from __future__ import annotations

import os
import sys

import django
from celery.bin.base import CLIContext
from celery.bin.worker import worker
from celery.signals import worker_ready
from django.urls import reverse
from django.utils.module_loading import import_string

from config.celery import SETTLE, TOURNAMENT, app, play_queues
from config.process import crashes, garbage, metrics_listener, server_checks

PLAY, SETTLING = "play", "settle"


def queues(kind: str) -> list[str]:
    """Return the queues of a worker of a kind; raise ValueError for a kind that there is not."""
    if kind == SETTLING:
        return [TOURNAMENT, SETTLE]  # in this order: ticks do not wait behind a rush of hands
    if kind == PLAY:
        return play_queues()
    raise ValueError(f"there is no worker {kind}: it is {PLAY} or {SETTLING}")


def name(kind: str, number: str = "") -> str:
    """Return the name of a worker on its machine; raise ValueError for a number below 0 or none.

    Without a number it is that of the process, or made from its process ID.
    """
    if number and not number.isdecimal():
        raise ValueError(f"{number} is no number of a worker: it is 0 or more, or left out")
    if number:
        return f"{kind}{number}"
    return os.environ.get("PROCESS_NAME") or f"{kind}-{os.getpid()}"


def arguments(kind: str, number: str = "") -> list[str]:
    """Return the options of Celery's worker."""
    return [
        *("-P", "solo", "-n", f"{name(kind, number)}@%h"),
        *("-Q", ",".join(queues(kind)), "-l", "INFO"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


@worker_ready.connect
def _spare_start(**_: object) -> None:
    # A full collection among the objects of the start stops a worker for 70 to 200 ms, in a busy
    # room twice a minute.
    garbage.spare_start()


def main(given: list[str]) -> None:
    """Work until told to stop; arguments from the first option on are passed to Celery."""
    crashes.leave_no_memory()
    is_option = (one.startswith("-") and not one[1:].isdecimal() for one in given)
    options = next((at for at, found in enumerate(is_option) if found), len(given))
    try:
        told = [*arguments(*given[:options]), *given[options:]]
    except (TypeError, ValueError) as wrong:
        sys.exit(f"usage: python -m config.worker {PLAY}|{SETTLING} [NUMBER]\nError: {wrong}")
    django.setup()  # installs the log formatter before the listener can report an error
    kind = given[0]
    if kind == SETTLING:
        # Loads the pages: notices link to them while rows are locked. Before servers are asked,
        # which may be starting as well.
        reverse("lobby")
    server_checks.verify_or_exit(kind)
    try:
        # Apps lie above this module: they are reached by name, as in celery.
        for hold in ("tables.workers.starting.hold_keys", "tables.fairlog.keeping.hold_key"):
            import_string(hold)(kind)
    except Exception as wrong:
        sys.exit(f"Error: {wrong}")
    metrics_listener.start()
    # Django's checks load all pages and the API. Their findings are for whoever changes the code.
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    # Not by app.worker_main: it loads all commands of Celery, and a shell for them.
    context = CLIContext(app, no_color=True, workdir=None)
    sys.exit(worker.main(told, obj=context, standalone_mode=False))


if __name__ == "__main__":
    main(sys.argv[1:])
