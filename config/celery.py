"""Celery app: tasks are bells only, so that nothing depends on the delivery of a message."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path

from celery import Celery
from celery.signals import setup_logging, task_postrun, task_prerun, worker_ready
from django.conf import settings
from django.db import close_old_connections
from kombu import Queue

from config import limits
from config.heartbeat import heart
from config.prompt_stop import WAIT_MAX_S, PromptStop
from config.redis import addresses

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

PLAY = "play"
SETTLE = "settle"
TOURNAMENT = "tournament"


def play_queue(member: str) -> str:
    """Return the play queue of a table's member name, equal in every process.

    Tables of one queue are answered together by one bell; every play worker listens to all queues.
    """
    return f"{PLAY}.{zlib.crc32(member.encode()) % settings.PLAY_QUEUES}"


def play_queues() -> list[str]:
    """Return the queues of all tables."""
    return [f"{PLAY}.{number}" for number in range(settings.PLAY_QUEUES)]


def all_queues() -> list[str]:
    """Return every queue of the room."""
    return [*play_queues(), SETTLE, TOURNAMENT]


@setup_logging.connect
def _keep_django_logging(**_: object) -> None:
    """Keep the loggers of the settings: a connected receiver stops Celery from replacing them."""


@worker_ready.connect
def _tell_supervisor(**_: object) -> None:
    """Write the ready file of the supervisor once a worker listens to its queues."""
    path = os.environ.get("READY_FILE")
    if path:
        Path(path).touch()


@task_prerun.connect
def _begin_task(**_: object) -> None:
    heart.begin()


@task_postrun.connect
def _end_task(**_: object) -> None:
    heart.end()


@task_prerun.connect
@task_postrun.connect
def _close_old_connections(**_: object) -> None:
    """Close broken and expired database connections, as Django does around a request."""
    close_old_connections()


_broker = addresses.celery_broker(addresses.parse(settings.BROKER_URL))
app = Celery("room", broker=_broker.url)
app.steps["consumer"].add(PromptStop)
app.conf.update(
    broker_use_ssl=_broker.tls,
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    # Bells are acked before the work: the due-time set rings a lost one again.
    task_acks_late=False,
    worker_prefetch_multiplier=1,
    task_create_missing_queues=True,
    task_queues=[Queue(name) for name in all_queues()],
    task_default_queue=TOURNAMENT,
    task_soft_time_limit=limits.TASK_SOFT_LIMIT_S,
    task_time_limit=limits.TASK_HARD_LIMIT_S,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_detect_quorum_queues=False,
    # Celery would open a PostgreSQL connection for every task and ignore CONN_MAX_AGE.
    CELERY_DB_REUSE_MAX=sys.maxsize,
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    worker_consumer="config.process.reconnecting:Consumer",
    broker_channel_error_retry=True,
    broker_heartbeat=0,
    broker_transport_options={
        **_broker.options,
        "health_check_interval": limits.BROKER_HEALTH_S,
        "socket_timeout": limits.REDIS_TIMEOUT_S,
        "socket_connect_timeout": limits.REDIS_CONNECT_TIMEOUT_S,
        "socket_keepalive": True,
        "retry_on_timeout": True,
        "polling_interval": WAIT_MAX_S,
        # A publisher never waits for the broker: timers ring again when it is back.
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
        "interval_max": 0.1,
        # Queues take turns: ticks of tournaments must not wait behind a rush of hands.
        "queue_order_strategy": "round_robin",
    },
)
app.autodiscover_tasks(["tables.workers", "tournaments.running"])
