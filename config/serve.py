"""Web process: serves pages and sockets at an address, or on a socket of its supervisor."""

from __future__ import annotations

import os
import socket
import sys
import time
from typing import Any

import django
import uvicorn
from django.utils.module_loading import import_string

from config import environment, limits, metrics
from config.process import crashes, metrics_listener, open_files, server_checks
from config.process.connections import RoomConnection
from config.process.garbage import EVERY_S, Sparing, spare_waiting
from config.process.sockets import RoomSocket

SHUTDOWN_S = 3
GARBAGE_EVERY_TICKS = round(EVERY_S * 10)
"""Ticks of uvicorn from one collection to the next; there are ten a second."""
INHERITED = "fd"


def listening(where: str) -> dict[str, Any]:
    """Return the listener for "ADDRESS:PORT" or "fd:NUMBER"; raise ValueError for anything else.

    A number is opened as an inherited socket.
    """
    try:
        host, port = environment.host_and_port(where)
    except ValueError as wrong:
        raise ValueError(f"{where!r} is neither ADDRESS:PORT nor {INHERITED}:NUMBER") from wrong
    if host == INHERITED:
        return {"sockets": [socket.socket(fileno=port)]}
    return {"host": host, "port": port}


def serve(where: str) -> None:
    """Serve pages and sockets until the process is told to stop."""
    asked = listening(where)
    sockets = asked.pop("sockets", None)
    crashes.leave_no_memory()
    open_files.allow_many()
    # Every sent frame gives up the interpreter lock, and a busy page then holds it for this long:
    # at Python's default of 5 ms a page delays the players of a table by hundreds of ms.
    sys.setswitchinterval(limits.INTERPRETER_SWITCH_S)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Pages run in few lasting threads, so their connections may last as well.
    os.environ.setdefault("DATABASE_CONNECTION_AGE_S", str(limits.PAGE_CONNECTION_AGE_S))
    django.setup()  # installs the log formatter before the listener can report an error
    server_checks.verify_or_exit("web")
    # Apps lie above this module: they are reached by name, as in asgi.
    import_string("tables.records.holding.hold_for_pages")()
    # With the gauges, which no other kind of process tells: most alerts ask for them.
    metrics_listener.start(metrics.text)
    spare_waiting()
    configured("config.asgi:application", **asked).run(sockets=sockets)


def configured(application: Any, **where: Any) -> WebServer:
    """Return a server of an ASGI application with the limits of the room."""
    configuration = uvicorn.Config(
        application,
        **where,
        loop="uvloop",
        http=RoomConnection,
        ws=RoomSocket,
        backlog=limits.ACCEPTS_PER_TURN,
        ws_max_size=limits.CLIENT_MESSAGE_MAX_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        proxy_headers=False,  # Django reads the headers of proxies, as PROXIES says
        timeout_graceful_shutdown=SHUTDOWN_S,
        log_level="warning",
        access_log=False,
    )
    return WebServer(configuration)


class WebServer(uvicorn.Server):
    """Server of uvicorn with a larger backlog and garbage collection in small portions."""

    def __init__(self, configuration: uvicorn.Config) -> None:
        super().__init__(configuration)
        self._garbage = Sparing(time.monotonic())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; a burst of connections waits in the kernel while the loop serves players.

        A loop may accept as many connections in one turn as its backlog says, and passes the same
        number to the kernel; here the kernel gets a larger one.
        """
        await super().startup(sockets=sockets)
        for server in self.servers:
            for listener in server.sockets:
                with listener.dup() as again:
                    again.listen(limits.LISTEN_BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        """Run ten times a second; return True when the server must stop."""
        if counter % GARBAGE_EVERY_TICKS == 0:
            self._garbage.collect_when_due(self.server_state.connections, time.monotonic())
        return await super().on_tick(counter)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m config.serve ADDRESS:PORT")
    try:
        serve(sys.argv[1])
    except ValueError as wrong:
        sys.exit(f"Error: {wrong}")
