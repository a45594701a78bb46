"""The network a process is in: this machine's own, or a namespace of it with its own address."""

from __future__ import annotations

import ctypes
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # nosec B104
ELSEWHERE = ("198.51.100.1", 9)
"""An address that is nobody's (RFC 5737), to ask which way leads out."""
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
    """What `make` makes inside a namespace, e.g. a socket, which then belongs there; None is here.

    Raises what `make` raises.
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

    # A thread of its own: it alone moves, and ends there.
    visitor = threading.Thread(target=visit, name="visitor")
    visitor.start()
    visitor.join()
    if failed:
        raise failed[0]
    return made[0]


def own_address() -> str | None:
    """The address under which others in its network reach this machine; None when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(ELSEWHERE)  # sends nothing: it only chooses a way
        except OSError:
            return None
        return str(asking.getsockname()[0])


_libc = ctypes.CDLL(None, use_errno=True)
