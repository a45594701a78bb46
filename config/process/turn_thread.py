"""Threads of settle workers that take turns at work behind the room's back, such as the log."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import ClassVar

import structlog
from celery import bootsteps
from celery.worker import WorkController
from django.db import Error as DatabaseError
from django.db import close_old_connections

from config import metrics
from config.celery import SETTLE

log = structlog.get_logger(__name__)


class TurnThread(ABC):
    """Take turns until stopped; a failed turn is counted, changes nothing and is tried again."""

    name: ClassVar[str]
    """Name of the thread, of its warnings and of its counters `NAME_delayed`, `NAME_stopped`."""

    first_s: ClassVar[float]
    """Pause before the first turn in seconds."""

    again_s: ClassVar[float]
    """Pause after a failed turn in seconds."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)

    def start(self) -> None:
        """Start in a separate thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the turn in progress."""
        self.stopping.set()

    @abstractmethod
    def take(self) -> float:
        """Do the work of one turn; return the pause before the next one in seconds."""

    def turn(self) -> float:
        """Take one turn; return the pause before the next one in seconds."""
        try:
            close_old_connections()
            return self.take()
        except (DatabaseError, OSError) as error:
            # Tables play on meanwhile: what is left to do waits in PostgreSQL.
            metrics.FAULTS.labels(f"{self.name}_delayed").inc()
            log.warning("turn delayed", of=self.name, error=str(error))
        except Exception:
            metrics.FAULTS.labels(f"{self.name}_stopped").inc()
            log.exception("turn failed", of=self.name)
        finally:
            close_old_connections()
        return self.again_s

    def _run(self) -> None:
        sleep_s = self.first_s
        while not self.stopping.wait(sleep_s):
            sleep_s = self.turn()


class TurnStep(bootsteps.StartStopStep):
    """Start a thread of turns with every Celery worker that settles."""

    requires = ("celery.worker.components:Pool",)
    takes_turns: ClassVar[type[TurnThread]]

    def __init__(self, parent: WorkController, **options: object) -> None:
        super().__init__(parent, **options)
        self._thread: TurnThread | None = None

    def start(self, parent: WorkController) -> None:
        """Start the thread when Celery has started the worker."""
        if SETTLE in parent.app.amqp.queues.consume_from:
            self._thread = self.takes_turns()
            self._thread.start()

    def stop(self, parent: WorkController) -> None:
        """Stop the thread when Celery stops the worker."""
        if self._thread is not None:
            self._thread.stop()
