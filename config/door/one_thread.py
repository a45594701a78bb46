"""Django in one piece: a request comes back to the event loop a few times, not for each layer."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler

from config.door import computing


class OneThreadHandler(ASGIHandler):
    """Django's ASGI handler with its middleware and view in one piece, in one thread.

    By default Django hands each middleware over between the event loop and a thread, and each such
    change waits for its turn among thousands of sockets. Threads compute one after the other.
    """

    _middleware_chain: Any

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware for threads, also where Django asks for coroutines."""
        super().load_middleware(is_async=False)
        chain = computing.in_turn(self._middleware_chain)
        self._middleware_chain = sync_to_async(chain, thread_sensitive=True)
