"""Wait for something in a room whose servers a drill takes away, keeping its processes alive."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import Error as DatabaseError
from django.db import close_old_connections, connection

from deploy.cluster.room import TEND_S, Room


def tend_until(room: Room, over: Callable[[], bool], give_up_s: float) -> bool:
    """Keep the processes of a room alive until `over` holds; return False when it is too late.

    `over` may ask PostgreSQL, also while it is away. `give_up_s` is a time of the monotonic clock.
    """
    while time.monotonic() < give_up_s:
        room.supervisor.tend()
        try:
            if over():
                return True
        except DatabaseError:
            connection.close()  # PostgreSQL is being replaced
        finally:
            close_old_connections()
        time.sleep(TEND_S)
    return False
