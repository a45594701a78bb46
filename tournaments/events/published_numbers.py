"""Numbers of told events: compared with a PostgreSQL that comes back, and raised above them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redis import Redis

from tables.store.last_numbers import last_numbers
from tournaments.events import outbox

HEADS_JUMP = 1_000
"""Numbers that each stream skips after a loss: Redis may have forgotten what it told of it."""

KINDS = ("tournament", "user", "club")
"""First words of the names of streams of facts, beside the room's lobby."""

_BEHIND = """
SELECT count(*), min(told.stream)
  FROM unnest(%s::text[], %s::bigint[]) AS told (stream, seq)
  LEFT JOIN tournaments_streamhead h USING (stream)
 WHERE coalesce(h.seq, 0) < told.seq
"""

_RAISE = """
INSERT INTO tournaments_streamhead AS h (stream, seq)
SELECT stream, seq FROM unnest(%s::text[], %s::bigint[]) AS told (stream, seq)
    ON CONFLICT (stream) DO UPDATE SET seq = greatest(h.seq, excluded.seq)
"""


def behind(cursor: Any, redis: Redis) -> Iterator[str]:
    """Yield how many streams told more than PostgreSQL has numbered, if any."""
    numbers = told(redis)
    count, first = cursor.execute(_BEHIND, [[*numbers], [*numbers.values()]]).fetchone()
    if count:
        yield f"{count} streams of events told more, {first} among them"


def raise_above(cursor: Any, redis: Redis) -> None:
    """Let all streams go on above every number that was told."""
    numbers = told(redis)
    cursor.execute(_RAISE, [[*numbers], [*numbers.values()]])
    cursor.execute("UPDATE tournaments_streamhead SET seq = seq + %s", [HEADS_JUMP])


def told(redis: Redis) -> dict[str, int]:
    """Return the last number told on each stream of facts that Redis holds."""
    return last_numbers(redis, _is_of_facts)


def _is_of_facts(stream: str) -> bool:
    kind, colon, _ = stream.partition(":")
    return stream == outbox.LOBBY or (bool(colon) and kind in KINDS)
