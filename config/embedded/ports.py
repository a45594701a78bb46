"""Finds TCP ports of 127.0.0.1 that nobody listens on."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import closing


def free(wanted: int | None = None) -> int:
    """`wanted` when nobody has it, else any free port."""
    if wanted and is_free(wanted):
        return wanted
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def several(wanted: Mapping[str, int | None]) -> dict[str, int]:
    """A free port for every name, all different: the wanted one where nobody has it."""
    found: dict[str, int] = {}
    for name, port in wanted.items():
        found[name] = free(port)
        while list(found.values()).count(found[name]) > 1:
            found[name] = free()
    return found


def is_free(port: int) -> bool:
    """Whether a server could listen on `port` now."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
