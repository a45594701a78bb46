"""Open sockets of one process: admission, and the rates that sockets share."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from django.conf import settings

from config import limits
from tables.gateway.limits import Bucket, address_bucket, user_bucket
from tables.gateway.places import Places


class Socket(Protocol):
    """An open socket; `user_id` is None without a log-in.

    `source` is the address under which its limits count.
    """

    user_id: int | None
    session_key: str
    source: str

    def dismiss(self, code: str) -> None:
        """Say goodbye and close."""


def subject_of(socket: Socket) -> str:
    """Return the subject of a socket's limits: its user, or its address without a log-in."""
    return socket.source if socket.user_id is None else f"user:{socket.user_id}"


class Sockets:
    """All sockets of this process."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._count = 0
        self._anonymous = 0
        self._of_user: dict[int, set[Socket]] = {}
        self._subjects: Counter[str] = Counter()
        self._buckets: dict[str, Bucket] = {}

    async def enter(self, socket: Socket, now_ms: int) -> bool:
        """Admit a socket; False when its user, its address or this process has too many.

        Some places of a process are reserved for users who are logged in.
        """
        if self._count >= limits.SOCKETS_PER_PROCESS_MAX:
            return False
        anonymous = socket.user_id is None
        if anonymous and self._anonymous >= limits.ANONYMOUS_SOCKETS_PER_PROCESS_MAX:
            return False
        most = settings.SOCKETS_PER_ADDRESS if anonymous else limits.SOCKETS_PER_USER_MAX
        # Count before Redis answers: many sockets may ask at once.
        self._count += 1
        self._anonymous += anonymous
        try:
            entered = await self._places.take(subject_of(socket), most, now_ms)
        except BaseException:
            entered = False
            raise
        finally:
            if not entered:
                self._count -= 1
                self._anonymous -= anonymous
        if entered:
            self._subjects[subject_of(socket)] += 1
            if socket.user_id is not None:
                self._of_user.setdefault(socket.user_id, set()).add(socket)
        return entered

    def leave(self, socket: Socket) -> None:
        """Forget a socket that was admitted."""
        subject = subject_of(socket)
        self._places.give_back(subject)
        self._count -= 1
        self._anonymous -= socket.user_id is None
        self._subjects[subject] -= 1
        if not self._subjects[subject]:
            del self._subjects[subject]
            self._buckets.pop(subject, None)
        if socket.user_id is not None:
            own = self._of_user[socket.user_id]
            own.discard(socket)
            if not own:
                del self._of_user[socket.user_id]

    def bucket(self, socket: Socket, now_ms: int) -> Bucket:
        """Return the bucket that the sockets of a user, or of strangers at one address, share."""
        subject = subject_of(socket)
        if subject not in self._buckets:
            new = address_bucket if socket.user_id is None else user_bucket
            self._buckets[subject] = new(now_ms)
        return self._buckets[subject]

    def of(self, user: int) -> list[Socket]:
        """Return the sockets of one user."""
        return list(self._of_user.get(user, ()))

    def known(self) -> list[Socket]:
        """Return all sockets of users who are logged in."""
        return [socket for own in self._of_user.values() for socket in own]
