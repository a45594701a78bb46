"""Direct Redis connection for the world's own reads and writes at every step."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from hiredis import Reader, pack_command
from redis.exceptions import ConnectionError, ResponseError

_CHUNK = 65_536

Word = bytes | str | int
# The stub of hiredis takes one word for a whole command.
_pack = cast("Callable[[tuple[Word, ...]], bytes]", pack_command)


class Line:
    """One connection without pool, retries or faults; sends many commands in one round trip."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        self._socket = socket.create_connection((at.hostname or "", at.port or 6379))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = Reader(replyError=ResponseError)
        if at.password:
            user = unquote(at.username or "") or "default"
            self.ask(("AUTH", user, unquote(at.password)))
        self.ask(("SELECT", at.path.strip("/") or "0"))

    def ask(self, *commands: tuple[Word, ...]) -> list[Any]:
        """Return the answers to some commands, in order; raise the first error among them."""
        self._socket.sendall(b"".join(map(_pack, commands)))
        answers: list[Any] = []
        while len(answers) < len(commands):
            answer = self._reader.gets()
            if answer is False:  # the script is not loaded yet
                heard = self._socket.recv(_CHUNK)
                if not heard:
                    raise ConnectionError("Redis closed the connection")
                self._reader.feed(heard)
            elif isinstance(answer, ResponseError):
                raise answer
            else:
                answers.append(answer)
        return answers

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
