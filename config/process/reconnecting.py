"""Celery consumer that reconnects to a lost broker every second, however long it was away."""

from __future__ import annotations

from functools import partial
from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer

from config import limits


class Consumer(CeleryConsumer):
    """Consumer without Celery's growing back-off of up to 30 s, which would outlast the outage."""

    def ensure_connected(self, conn: Any) -> Any:
        """Return the connection once the broker answers."""
        conn.ensure_connection = partial(
            conn.ensure_connection,
            interval_start=limits.BROKER_AGAIN_FIRST_S,
            interval_step=limits.BROKER_AGAIN_FIRST_S,
            interval_max=limits.BROKER_AGAIN_MAX_S,
        )
        return super().ensure_connected(conn)
