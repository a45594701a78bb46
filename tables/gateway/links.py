"""Links that let a page without a user follow a few streams, until they are revoked."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec
import structlog
from django.db import DatabaseError, transaction

from tables.gateway.database import reads
from tables.gateway.hints import give_hint
from tables.gateway.sockets import Socket

log = structlog.get_logger(__name__)

HINT_PREFIX = "link:"
"""Prefix of hints: `link:7` says that link 7 was revoked."""

REVOKED = "link_revoked"


class LinkRights(msgspec.Struct, frozen=True):
    """A valid link by its key, and the streams that it opens."""

    link: int
    streams: frozenset[str]


class LinkRules(msgspec.Struct, frozen=True):
    """Rules of links: rights of a token (None: not valid), and which of some links are valid."""

    rights: Callable[[str], LinkRights | None]
    valid: Callable[[Collection[int]], set[int]]


_rules: list[LinkRules] = []


def register(rules: LinkRules) -> None:
    """Set the rules of links; an app above the tables stores them."""
    assert not _rules, "links have one owner"
    _rules.append(rules)


@reads
def rights_of(token: str) -> LinkRights | None:
    """Return the rights of a token; None for one that is invented or revoked."""
    return _rules[0].rights(token) if _rules else None


@reads
def _valid(links: Collection[int]) -> set[int]:
    return _rules[0].valid(links)


def hint_revoked(link: int) -> None:
    """Let all web processes cut the sockets of a link, after commit."""
    transaction.on_commit(lambda: give_hint(f"{HINT_PREFIX}{link}"), robust=True)


class LinkedSockets:
    """Open sockets of this process that came with a link."""

    def __init__(self) -> None:
        self._of_link: dict[int, set[Socket]] = {}

    def add(self, link: int, socket: Socket) -> None:
        """Note a socket of a link."""
        self._of_link.setdefault(link, set()).add(socket)

    def remove(self, link: int, socket: Socket) -> None:
        """Forget a socket."""
        own = self._of_link.get(link, set())
        own.discard(socket)
        if not own:
            self._of_link.pop(link, None)

    def end(self, links: Collection[int]) -> None:
        """Dismiss the sockets of these links."""
        for link in links:
            for socket in list(self._of_link.get(link, ())):
                socket.dismiss(REVOKED)

    async def end_revoked(self) -> None:
        """Dismiss the sockets whose link is not valid any more; a hint of it may be lost."""
        links = set(self._of_link)
        if not links:
            return
        try:
            self.end(links - await _valid(links))
        except DatabaseError as error:
            # Unknown links end nothing: the database may be back at the next check.
            log.warning("links not checked", error=str(error))
