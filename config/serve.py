"""The web process: serves pages and sockets at an address, or on a socket its supervisor holds."""

from __future__ import annotations

import socket
import sys
from typing import Any

import uvicorn

from config import limits
from config.keepalive import Keepalive

SHUTDOWN_S = 3
INHERITED = "fd"


def listening(where: str) -> dict[str, Any]:
    """What `where` asks for, "ADDRESS:PORT" or "fd:NUMBER"; raises ValueError when it is neither.

    A socket is opened from its number.
    """
    address, colon, number = where.rpartition(":")
    if not address or not colon or not number.isdecimal() or int(number) > 65_535:
        raise ValueError(f"{where!r} is neither ADDRESS:PORT nor {INHERITED}:NUMBER")
    if address == INHERITED:
        return {"sockets": [socket.socket(fileno=int(number))]}
    return {"host": address.strip("[]"), "port": int(number)}


def serve(where: str) -> None:
    """Serve pages and sockets until told to stop."""
    asked = listening(where)
    sockets = asked.pop("sockets", None)
    configuration = uvicorn.Config(
        "config.asgi:application",
        **asked,
        ws=Keepalive,
        ws_max_size=limits.CLIENT_MESSAGE_MAX_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        timeout_graceful_shutdown=SHUTDOWN_S,
        log_level="warning",
        access_log=False,
    )
    uvicorn.Server(configuration).run(sockets=sockets)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m config.serve ADDRESS:PORT")
    try:
        serve(sys.argv[1])
    except ValueError as wrong:
        sys.exit(f"Error: {wrong}")
