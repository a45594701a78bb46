"""A worker that lost its broker asks for it again every second, however long it was away."""

from __future__ import annotations

from functools import partial
from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer

from config import limits


class Consumer(CeleryConsumer):  # type: ignore[misc]
    """Celery's own waits two seconds longer each time, up to 30, and sleeps through the return."""

    def ensure_connected(self, conn: Any) -> Any:
        """The connection once the broker answers."""
        conn.ensure_connection = partial(
            conn.ensure_connection,
            interval_start=limits.BROKER_AGAIN_FIRST_S,
            interval_step=limits.BROKER_AGAIN_FIRST_S,
            interval_max=limits.BROKER_AGAIN_MAX_S,
        )
        return super().ensure_connected(conn)
