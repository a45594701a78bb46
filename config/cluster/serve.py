"""The web process of a local room: serves on the socket that its supervisor holds open."""

from __future__ import annotations

import socket
import sys

import uvicorn

from config import limits

SHUTDOWN_S = 3


def serve(descriptor: int) -> None:
    """Serve pages and sockets on a listening socket until told to stop."""
    configuration = uvicorn.Config(
        "config.asgi:application",
        ws="websockets-sansio",
        ws_max_size=limits.CLIENT_MESSAGE_MAX_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        timeout_graceful_shutdown=SHUTDOWN_S,
        log_level="warning",
        access_log=False,
    )
    uvicorn.Server(configuration).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    serve(int(sys.argv[1]))
