"""Celery consumer that takes messages again after each loss of the broker, within a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer
from kombu.transport import redis, virtual

from config import limits


class Credit(redis.QoS):
    """Number of messages that a worker may take, also when the broker hears nothing of the last.

    1. A worker takes one message at a time, and acknowledges it after its work.
    2. An acknowledgement that the broker cannot hear is logged and not tried again.
    3. If such a message kept its place, the worker would ask for no other one: it would not even
       notice the lost connection, and be idle for good.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message; an error of the connection leaves its place free."""
        with self._place_of(delivery_tag):
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject a message; an error of the connection leaves its place free."""
        with self._place_of(delivery_tag):
            super().reject(delivery_tag, requeue)

    @contextmanager
    def _place_of(self, delivery_tag: str) -> Iterator[None]:
        try:
            yield
        except redis.Transport.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


redis.Channel.QoS = Credit


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
