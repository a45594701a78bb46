"""The open sockets of one process by user, how many one user may have, and their shared rate."""

from __future__ import annotations

from typing import Protocol

from config import limits
from tables.gateway_limits import Bucket, user_bucket


class Socket(Protocol):
    """An open socket; `user_id` is None for somebody who is not logged in."""

    user_id: int | None
    session_key: str

    def dismiss(self, code: str) -> None:
        """Say goodbye and close."""


class Sockets:
    """Every socket of this process."""

    def __init__(self) -> None:
        self._count = 0
        self._of_user: dict[int, set[Socket]] = {}
        self._buckets: dict[int, Bucket] = {}

    def enter(self, socket: Socket) -> bool:
        """Note a socket; False when its user, or the process, has too many."""
        if self._count >= limits.SOCKETS_PER_PROCESS_MAX:
            return False
        if socket.user_id is not None:
            own = self._of_user.setdefault(socket.user_id, set())
            if len(own) >= limits.SOCKETS_PER_USER_MAX:
                return False
            own.add(socket)
        self._count += 1
        return True

    def leave(self, socket: Socket) -> None:
        """Forget a socket that had entered."""
        self._count -= 1
        if socket.user_id is not None:
            own = self._of_user[socket.user_id]
            own.discard(socket)
            if not own:
                del self._of_user[socket.user_id]
                self._buckets.pop(socket.user_id, None)

    def bucket(self, user: int | None, now_ms: int) -> Bucket | None:
        """The bucket that a user's sockets share; None for somebody who is not logged in."""
        if user is None:
            return None
        if user not in self._buckets:
            self._buckets[user] = user_bucket(now_ms)
        return self._buckets[user]

    def of(self, user: int) -> list[Socket]:
        """The sockets of one user."""
        return list(self._of_user.get(user, ()))

    def known(self) -> list[Socket]:
        """All sockets of users who are logged in."""
        return [socket for own in self._of_user.values() for socket in own]
