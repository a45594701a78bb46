"""Rights to follow streams, checked when following begins and again while it lasts."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import structlog
from django.db import DatabaseError

from tables.dealer import director
from tables.gateway.database import reads
from tables.gateway.followers import Feed, StreamFollower
from tables.gateway.stream_kinds import NoSuchStream
from tables.models import Table
from tables.store import keys

log = structlog.get_logger(__name__)


async def may_follow(feed: Feed, follower: StreamFollower) -> bool:
    """Return whether a follower may see a stream; raises NoSuchStream when it does not exist."""
    guard = feed.kind.guard
    if guard is None or feed.open_to_all:
        return True
    if follower.user is not None and follower.user in feed.seated:
        return True
    allowed = await guard(feed.stream, {follower.user})
    feed.open_to_all = allowed is None
    return allowed is None or follower.user in allowed


async def lost(feeds: Iterable[Feed], users: Collection[int] | None = None) -> list[StreamFollower]:
    """Return followers, of these users or of all, that may not see their stream any more."""
    without_right: list[StreamFollower] = []
    for feed in feeds:
        guard = feed.kind.guard
        if guard is None or feed.open_to_all is not False:
            continue
        asked = {
            follower.user for follower in feed.followers if users is None or follower.user in users
        }
        if not asked:
            continue
        try:
            allowed = await guard(feed.stream, asked)
        except NoSuchStream:
            continue
        except DatabaseError as error:
            # Unknown rights end nothing: the database may be back at the next check.
            log.warning("rights not checked", stream=feed.stream, error=str(error))
            return without_right
        if allowed is not None:
            gone = asked - allowed
            without_right += [follower for follower in feed.followers if follower.user in gone]
    return without_right


@reads
def of_table(stream: str, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see a table, by its director; None: everybody may."""
    number = keys.number(stream)
    table = Table.objects.filter(pk=number).only("director", "game").first()
    if table is None:
        raise NoSuchStream(stream)
    return director.admitted(table.director, table.game, users)
