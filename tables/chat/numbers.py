"""Numbers of chats after an accepted loss of PostgreSQL: they go on above those that were told."""

from __future__ import annotations

from typing import Any

from redis import Redis

from tables.store.last_numbers import last_numbers

JUMP = 1_000
"""Numbers that each chat skips after a loss: Redis may have forgotten what it told of it."""

_RAISE = """
INSERT INTO chat_chatchannel AS c (stream, last)
SELECT stream, last FROM unnest(%s::text[], %s::bigint[]) AS told (stream, last)
    ON CONFLICT (stream) DO UPDATE SET last = greatest(c.last, excluded.last)
"""


def raise_above(cursor: Any, redis: Redis) -> None:
    """Let all chats go on above every number that was told: Redis refuses those that it has."""
    told = last_numbers(redis, _is_of_chat)
    cursor.execute(_RAISE, [[*told], [*told.values()]])
    cursor.execute("UPDATE chat_chatchannel SET last = last + %s", [JUMP])


def _is_of_chat(stream: str) -> bool:
    kind, colon, _ = stream.partition(":")
    return bool(colon) and kind.endswith("chat")
