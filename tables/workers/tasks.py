"""Celery tasks of tables: the name of a member in, one call out."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from celery import shared_task
from celery.signals import task_prerun
from django.db import OperationalError

from config.celery import app
from config.redis import room
from config.redis.silence import NodeSilentError
from tables.store import keys
from tables.store.fenced import NotAdopted
from tables.workers import advance as worker
from tables.workers import database_gate, measures, settle
from tables.workers.bells import RUNG_MS, TASKS, ring
from tables.workers.timers import TimerStep

app.steps["worker"].add(TimerStep)
_LATER = (NotAdopted, NodeSilentError)
"""Errors after which the wakes of tables ring again; the timer of their shard logs them."""
_QUEUE_KINDS = {task: kind for kind, task in TASKS.items()}


@task_prerun.connect
def _measure(task: Any, **_: object) -> None:
    # Bells of a release before this one do not tell when they were rung.
    rung_ms = (task.request.headers or {}).get(RUNG_MS)
    if rung_ms is not None and task.name in _QUEUE_KINDS:
        measures.of_bell(_QUEUE_KINDS[task.name], rung_ms)


@shared_task(name="tables.advance")
def advance(member: str) -> None:
    """Advance a table and all ready tables of its queue (play queue)."""
    with suppress(*_LATER):
        for other, kind in worker.answer(room(), member):
            ring(other, kind)


@shared_task(name="tables.settle")
def settle_table(member: str) -> None:
    """Settle a table's hand and ask for the next one (settle queue)."""
    with suppress(*_LATER):
        kind = settle.settle(room(), keys.number(member))
        if kind is not None:
            ring(member, kind)
    database_gate.note()


@shared_task(name=database_gate.TASK)
def adopt_database() -> None:
    """Look at the PostgreSQL that answers, and adopt it when it is believed (settle queue)."""
    with suppress(OperationalError):  # the gate told the operator why
        database_gate.look_again()
