"""Two transactions at once: the second begins while the first is not committed yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.db import connection, transaction

STEP_S, STEPS = 0.02, 1_500

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def meanwhile(first: Callable[[], object], second: Callable[[], object]) -> tuple[object, object]:
    """Commit `first` only once `second` waits for its locks; return both results or exceptions.

    Raises AssertionError when the second request does not wait.
    """
    done, may_commit = threading.Event(), threading.Event()
    results: list[object] = [None, None]

    def hold() -> None:
        try:
            with transaction.atomic():
                results[0] = first()
                done.set()
                may_commit.wait(STEP_S * STEPS)
        except Exception as error:
            results[0] = error
        finally:
            done.set()
            connection.close()

    def ask() -> None:
        try:
            results[1] = second()
        except Exception as error:
            results[1] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=job) for job in (hold, ask)]
    threads[0].start()
    done.wait(STEP_S * STEPS)
    threads[1].start()
    waited = _waits(threads[1])
    may_commit.set()
    for thread in threads:
        thread.join(120)
    assert waited, f"the second request did not wait: {results}"
    return results[0], results[1]


def _waits(thread: threading.Thread) -> bool:
    """Return whether a connection comes to wait for a lock while the thread lives."""
    for _ in range(STEPS):
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone()[0]:
                return True
        if not thread.is_alive():
            return False
        time.sleep(STEP_S)
    return False
