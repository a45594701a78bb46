"""Origins of sockets: pages of this room, and programs with a token of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from channels.security.websocket import OriginValidator

Application = Callable[..., Awaitable[None]]
_SCHEME = b"bearer"


def bearer_of(scope: Mapping[str, Any]) -> str | None:
    """Return the text of the request's bearer token; None without the header or of another kind."""
    raw = dict(scope["headers"]).get(b"authorization")
    if raw is None:
        return None
    kind, _, text = raw.partition(b" ")
    return text.strip().decode("latin-1") if kind.lower() == _SCHEME else None


class OriginOrToken:
    """ASGI application that refuses sockets of foreign pages and lets programs with tokens in.

    The origin is checked because a browser adds the cookies of this room to a socket that a foreign
    page opens. No page can make a browser add an Authorization header to a socket: a handshake with
    a token and without any cookie comes from a program, whose proof is the token alone. With a
    cookie beside the token the origin counts.
    """

    def __init__(self, application: Application, origins: Iterable[str]) -> None:
        self._application = application
        self._checked = OriginValidator(application, origins)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the socket on, past the check of origins where a token is its only proof."""
        cookies = any(name == b"cookie" for name, _ in scope["headers"])
        alone = bearer_of(scope) is not None and not cookies
        await (self._application if alone else self._checked)(scope, receive, send)
