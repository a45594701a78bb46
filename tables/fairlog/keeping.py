"""Thread of every settle worker that takes turns as keeper of the log."""

from __future__ import annotations

import threading

import structlog
from celery import bootsteps
from celery.worker import WorkController
from django.db import Error as DatabaseError
from django.db import close_old_connections

from config import metrics
from config.celery import SETTLE
from tables.fairlog.keeper import LEAVES_AT_ONCE_MAX, Keeper

log = structlog.get_logger(__name__)

TURN_S = 1.0
"""Pause between two turns; a full turn is followed by the next one at once."""

AGAIN_S = 5.0
"""Pause after a failed turn."""


class KeeperThread:
    """Take turns until stopped; a failed turn changes nothing and is tried again."""

    def __init__(self) -> None:
        self._keeper = Keeper()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def start(self) -> None:
        """Start in a separate thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the turn in progress."""
        self._stopping.set()

    def _run(self) -> None:
        sleep_s = TURN_S
        while not self._stopping.wait(sleep_s):
            sleep_s = self.turn()

    def turn(self) -> float:
        """Take one turn; return the pause before the next one, in seconds."""
        try:
            close_old_connections()
            appended = self._keeper.take_turn()
        except (DatabaseError, OSError) as error:
            # Tables play on without the log: what is pending waits in PostgreSQL.
            self._keeper.forget()
            metrics.FAULTS.labels("log_delayed").inc()
            log.warning("log delayed", error=str(error))
            return AGAIN_S
        except Exception:
            self._keeper.forget()
            metrics.FAULTS.labels("log_stopped").inc()
            log.exception("log stopped")
            return AGAIN_S
        finally:
            close_old_connections()
        return 0.0 if appended >= LEAVES_AT_ONCE_MAX else TURN_S


class KeeperStep(bootsteps.StartStopStep):
    """Start the keeper's thread with every Celery worker that settles."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: WorkController, **options: object) -> None:
        super().__init__(parent, **options)
        self._thread: KeeperThread | None = None

    def start(self, parent: WorkController) -> None:
        """Start the thread when Celery has started the worker."""
        if SETTLE in parent.app.amqp.queues.consume_from:
            self._thread = KeeperThread()
            self._thread.start()

    def stop(self, parent: WorkController) -> None:
        """Stop the thread when Celery stops the worker."""
        if self._thread is not None:
            self._thread.stop()
