"""Network of a process: this machine's own, or a namespace with an address of its own."""

from __future__ import annotations

import ctypes
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import ProxyHandler, build_opener

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # nosec B104
ELSEWHERE = ("198.51.100.1", 9)
"""Documentation address (RFC 5737), to find the route to the outside."""
PLACES = Path("/run/netns")
_CLONE_NEWNET = 0x40000000

Made = TypeVar("Made")


def enter(place: Path) -> None:
    """Move the calling thread into the namespace at `place` for good; needs root."""
    descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if _libc.setns(descriptor, _CLONE_NEWNET):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(place))
    finally:
        os.close(descriptor)


def inside(place: Path | None, make: Callable[[], Made]) -> Made:
    """Return the result of `make` run inside a namespace, e.g. a socket that belongs there.

    None is this machine. Raises what `make` raises.
    """
    if place is None:
        return make()
    made: list[Made] = []
    failed: list[BaseException] = []

    def visit() -> None:
        try:
            enter(place)
            made.append(make())
        except BaseException as problem:
            failed.append(problem)

    # In a thread of its own, because only that thread moves, and ends there.
    visitor = threading.Thread(target=visit, name="visitor")
    visitor.start()
    visitor.join()
    if failed:
        raise failed[0]
    return made[0]


def own_address() -> str | None:
    """Return this machine's address in its network; None when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(ELSEWHERE)  # sends nothing: connect only chooses a route
        except OSError:
            return None
        return str(asking.getsockname()[0])


def open_directly(url: str, within_s: float) -> Any:
    """Return the answer to a GET at an address of this room; raises OSError.

    A proxy that the environment names for the Internet does not know this machine's addresses.
    """
    return build_opener(ProxyHandler({})).open(url, timeout=within_s)


_libc = ctypes.CDLL(None, use_errno=True)
