"""Socket of a page with a link instead of a user: it follows the streams of its link, no more."""

from __future__ import annotations

from http import HTTPStatus

import structlog
from django.db import DatabaseError

from accounts.models import User
from config import limits
from config.door.source import of_scope
from config.door.turns import Full
from tables.gateway import hub, links
from tables.gateway.consumers import RoomConsumer

log = structlog.get_logger(__name__)


class OverlayConsumer(RoomConsumer):
    """One socket of an overlay; cookies of the browser mean nothing to it."""

    ended = ""
    """Code of a goodbye that came while the socket was being opened."""

    async def connect(self) -> None:
        """Accept a socket with a valid link; refuse others in the handshake."""
        self.gateway = hub.here()
        token = self.scope["url_route"]["kwargs"]["token"]
        turn = self.gateway.lookups.turn(1, of_scope(self.scope), within_s=limits.LOOKUP_WAITS_S)
        try:
            async with turn:
                self.link = await links.rights_of(token)
        except (DatabaseError, Full) as error:
            log.warning("overlay refused", error=str(error))
            await self._deny(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        if self.link is None:
            await self._deny(HTTPStatus.FORBIDDEN)
            return
        # First the note, then the socket: a link that is revoked meanwhile cuts it all the same.
        self.gateway.linked.add(self.link.link, self)
        try:
            await super().connect()
        finally:
            if self.sender is None:  # refused by the limits of its address, or the client left
                self.gateway.linked.remove(self.link.link, self)
        if self.ended and self.sender is not None:
            super().dismiss(self.ended)

    def dismiss(self, code: str) -> None:
        """Say goodbye and close; a socket that is being opened, as soon as it is open."""
        if self.sender is None:
            self.ended = code
        else:
            super().dismiss(code)

    async def disconnect(self, code: int) -> None:
        """Forget the socket."""
        if self.link is not None:
            self.gateway.linked.remove(self.link.link, self)
        await super().disconnect(code)

    async def _who(self) -> User | None:
        return None
