"""Dead connections to servers are given up and replaced soon."""

from __future__ import annotations

import logging

import pytest
from django.db import connection
from kombu.exceptions import OperationalError

from config import limits
from config.celery import app
from config.process.reconnecting import Consumer
from deploy.embedded import ports

ATTEMPTS = 3


def test_a_worker_asks_for_a_lost_broker_every_second(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.conf, "broker_connection_max_retries", ATTEMPTS)
    assert app.conf.worker_consumer == f"{Consumer.__module__}:{Consumer.__name__}"
    consumer = Consumer.__new__(Consumer)  # only the part of a Celery app that takes part in this
    consumer.app, consumer.first_connection_attempt = app, True
    consumer.broker_connection_retry_attempt = 0
    nobody = app.connection_for_read(f"redis://127.0.0.1:{ports.free()}/0")
    with caplog.at_level(logging.ERROR), pytest.raises(OperationalError, match="refused"):
        consumer.ensure_connected(nobody)
    assert len(caplog.messages) == ATTEMPTS
    longest = f"again in {limits.BROKER_AGAIN_MAX_S:.2f} second"
    assert [longest in line for line in caplog.messages] == [False, True, True]


def test_both_ends_give_up_a_dead_postgresql_connection(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_%'")
        theirs = dict(cursor.fetchall())
    assert theirs["tcp_user_timeout"] == str(limits.DATABASE_UNANSWERED_MS)
    assert theirs["tcp_keepalives_idle"] == str(limits.DATABASE_SILENT_S)
    assert theirs["tcp_keepalives_interval"] == str(limits.DATABASE_ASK_EVERY_S)
    assert theirs["tcp_keepalives_count"] == str(limits.DATABASE_ASKS_MAX)
    ours = connection.connection.info.get_parameters()
    assert ours["tcp_user_timeout"] == str(limits.DATABASE_UNANSWERED_MS)
    assert ours["keepalives_idle"] == str(limits.DATABASE_SILENT_S)
