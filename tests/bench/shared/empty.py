"""Empty Celery task, and a process that sends it: python -m tests.bench.shared.empty SECONDS."""

from __future__ import annotations

import sys
from itertools import cycle
from time import monotonic, sleep

from celery import shared_task

from config.celery import TOURNAMENT, all_queues, app

NAME = "bench.empty"
BACKLOG_MAX = 1_000
LOOK_EVERY = 100


@shared_task(name=NAME)
def empty(member: str) -> None:
    """Do nothing: only the delivery is measured."""


def send(seconds: float) -> None:
    """Send tasks as fast as they are taken, with the options of a bell, to all queues in turn."""
    from config.redis import broker

    queues = [name for name in all_queues() if name != TOURNAMENT]
    turns = cycle(queues)
    ends = monotonic() + seconds
    while monotonic() < ends:
        for _ in range(LOOK_EVERY):
            app.send_task(NAME, args=["table:1"], queue=next(turns), expires=60, ignore_result=True)
        while monotonic() < ends and waiting(broker()) > BACKLOG_MAX:
            sleep(0.001)


def waiting(client) -> int:  # type: ignore[no-untyped-def]
    """Return the number of messages that no worker has taken yet."""
    with client.pipeline(transaction=False) as pipe:
        for queue in all_queues():
            pipe.llen(queue)
        return sum(pipe.execute())


if __name__ == "__main__":
    send(float(sys.argv[1]))
