"""Free TCP ports of 127.0.0.1, reserved against other rooms."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from deploy.embedded.network import LOCAL

MAX = 65_535
"""Highest number of a port."""

_held: dict[int, int] = {}


def free(wanted: int | None = None) -> int:
    """Return `wanted` when it is free, else any free port; reserve it until this process ends.

    A server binds its port later than it is chosen. Until then a lock on a file, which every room
    of this user takes, keeps two rooms that start at once from choosing the same port.
    """
    if wanted and wanted not in _held and is_free(wanted) and _hold(wanted):
        return wanted
    while True:
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
            if port not in _held and _hold(port):
                return port


def several(wanted: Mapping[str, int | None]) -> dict[str, int]:
    """Return a distinct free port for every name: the wanted one where it is free."""
    return {name: free(port) for name, port in wanted.items()}


def is_free(port: int) -> bool:
    """Return whether a server could listen on `port` now."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def listen(port: int, address: str = LOCAL) -> socket.socket:
    """Return a socket that listens on `port` of `address`, for its later server.

    While it is open no other process gets the port, and clients that connect while the server
    restarts wait instead of being refused. Raises OSError when the port is taken.
    """
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((address, port))
        made.listen(socket.SOMAXCONN)
    except OSError:
        made.close()
        raise
    return made


def let_go(*given: int) -> None:
    """Release these ports of this process; without arguments, all of them."""
    for port in given or tuple(_held):
        os.close(_held.pop(port))


def _hold(port: int) -> bool:
    """Take the lock of a port; it stays with this process, also across exec."""
    folder = Path(tempfile.gettempdir()) / f"tournament-room-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder / str(port), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    os.set_inheritable(descriptor, True)
    _held[port] = descriptor
    return True
