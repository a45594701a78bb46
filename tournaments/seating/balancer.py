"""Table sizes of a tournament in Redis, so that a balancing plan costs the same in any field.

1. PostgreSQL decides: every change of sizes raises `balance_version` in the tournament's row, in
   the same transaction.
2. After the commit `follow` brings the Redis record from version n - 1 to n.
3. A reader accepts the record only at the version of the row it has read. It brings an older record
   up to that version by the tables that the row names for each of its last versions, and reads all
   sizes from PostgreSQL where they do not reach back to the record. A lost or late step 2
   therefore costs time, never a wrong plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from config import metrics, redis
from config.redis.scripts import ScriptCall, run
from tables.store import keys
from tournaments.engine.balancing import (
    SHORTEST_TABLES_MAX,
    break_order,
    tables_doomed,
    tables_needed,
)
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Tournament

log = structlog.get_logger(__name__)


VERSIONS_JUMP = 1_000
"""Versions that each tournament skips after a loss: more than a server can be behind."""


VERSIONS_KEPT = 16
"""Last versions of which a tournament's row names the tables: more than commit between a commit and
its step after it."""

TABLES_KEPT = 32
"""Tables of one version in a tournament's row; a change of more is read again whole."""


class Size(msgspec.Struct, frozen=True, array_like=True):
    """One open table: its number in the break order, and its players including pending arrivals."""

    table: int
    number: int
    size: int


class Bounds(msgspec.Struct, frozen=True):
    """Data of the other tables that a plan for one table needs, of constant size.

    `rank` is the asking table's place in the break order (0 breaks first), `longest` the size of
    the fullest table, `shortest` the shortest other tables that stay, shortest first.
    """

    tables_open: int
    rank: int
    longest: int
    shortest: tuple[Size, ...]


def bounds(tournament: Tournament, table: int) -> Bounds:
    """Return the bounds for a table at the balance version of this row.

    An older record catches up; one that cannot, or an unreachable Redis, is replaced by a read from
    PostgreSQL.
    """
    try:
        client = redis.room()
        view = _read(client, tournament, table)
        # Others bring the record up at the same time, maybe not as far: then again from there.
        while isinstance(view, int) and _catch_up(tournament, view):
            view = _read(client, tournament, table)
        if not isinstance(view, Bounds):
            sizes = reload(client, tournament.pk)
            view = _read(client, tournament, table)
            if not isinstance(view, Bounds):
                view = bounds_of(sizes, tournament, table)
    except RedisError as error:
        log.warning("balancer without Redis", tournament=tournament.pk, error=str(error))
        view = bounds_of(sizes_of(tournament.pk)[1], tournament, table)
    return view


def reload(client: Redis, tournament_id: int) -> list[Size]:
    """Store all sizes from PostgreSQL unless the record in Redis is newer; return the sizes."""
    metrics.BALANCER_READ.labels("field").inc()
    version, sizes = sizes_of(tournament_id)
    numbers = {size.table: size.number for size in sizes}
    players = {size.table: size.size for size in sizes}
    names = _names(tournament_id)
    arguments = [version, len(sizes)]
    for table, number in numbers.items():
        arguments += [table, number, players[table]]
    run(client, ScriptCall(_STORE, names, arguments))
    return sizes


def changed(tx: TournamentTransaction, tables: Iterable[int]) -> None:
    """Raise the balance version after a change of table sizes, once per transaction.

    The record in Redis follows after the commit.
    """
    is_first = not tx.resized
    tx.resized.update(tables)
    tournament = tx.tournament
    if is_first:
        tournament.balance_version += 1
        tx.after_commit(lambda: _bring_up(tournament, tx.resized))
    _name_tables(tournament, tx.resized)


def version_after(tx: TournamentTransaction) -> int:
    """Return the balance version that a change of table sizes in this transaction has."""
    return tx.tournament.balance_version + (not tx.resized)


def follow(
    tournament_id: int,
    *,
    version: int,
    changed: Mapping[int, Size | None],
    before: int | None = None,
) -> int:
    """Bring the record from version `before` to `version`; a size of None removes a closed table.

    `before` is by default the version before. A record at any other version is left alone. Return
    the version that was found, -1 for none.
    """
    arguments: list[int] = [version, version - 1 if before is None else before]
    for table, size in changed.items():
        arguments += [table, -1, -1] if size is None else [table, size.number, size.size]
    return int(run(redis.room(), ScriptCall(_FOLLOW, _names(tournament_id), arguments)))


def needed(tournament: Tournament) -> int:
    """Return how many tables the field needs now; with free seats while entries are open (T-08)."""
    return tables_needed(
        tournament.left, tournament.table_size, entries_open=tournament.entries_open
    )


def doomed(tournament: Tournament, tables_open: int) -> int:
    """Return how many of `tables_open` tables close, first in the break order (T-08)."""
    return tables_doomed(
        tables_open,
        tournament.left,
        tournament.table_size,
        entries_open=tournament.entries_open,
    )


def staying(tournament: Tournament, sizes: Iterable[Size]) -> list[int]:
    """Return the tables that do not close next, in the break order (T-08)."""
    order = break_order({size.table: size.number for size in sizes})
    return order[doomed(tournament, len(order)) :]


def forget(tournament_id: int) -> None:
    """Delete the record of a tournament that is over."""
    redis.room().delete(*_names(tournament_id))


def sizes_of(tournament_id: int, only: list[int] | None = None) -> tuple[int, list[Size]]:
    """Balance version and sizes of all open tables, or of `only` some, in one snapshot."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZES, [only, only, tournament_id])
        rows = cursor.fetchall()
    version = rows[0][0] if rows else 0
    return version, [Size(table, number, size) for _, table, number, size in rows if table]


def raise_versions(cursor: Any, _redis: Redis) -> None:
    """Let versions go on above those of all records, after PostgreSQL lost the last ones.

    Else a later change would get the number of a lost one, and readers would take its record.
    """
    cursor.execute(_RAISE, [VERSIONS_JUMP])


def _name_tables(tournament: Tournament, tables: Collection[int]) -> None:
    """Name the tables of the present version in the row, and forget those of old versions."""
    version = tournament.balance_version
    older = [named for named in tournament.resized if named[0] != version]
    newest = [[version, *sorted(tables)]] if len(tables) <= TABLES_KEPT else []
    tournament.resized = [*older, *newest][-VERSIONS_KEPT:]


def _bring_up(tournament: Tournament, tables: Iterable[int]) -> None:
    """Bring the record to the version of a committed row, whose change was of these tables.

    Where transactions committed close together, the record may still lack the versions before: the
    one that comes first brings all of them.
    """
    version = tournament.balance_version
    found = follow(tournament.pk, version=version, changed=_sizes_now(tournament.pk, tables))
    if found < version - 1:
        _catch_up(tournament, found)


def _catch_up(tournament: Tournament, found: int) -> bool:
    """Bring a record from version `found` to that of the row; False where the row cannot tell how.

    The sizes are read after the row, so they are of this version or newer ones, whose own changes
    name the same tables again.
    """
    version = tournament.balance_version
    if not 0 <= found < version:
        return False
    missed = [named for named in tournament.resized if found < named[0] <= version]
    if [named[0] for named in missed] != [*range(found + 1, version + 1)]:
        return False
    metrics.BALANCER_READ.labels("missed").inc()
    sizes = _sizes_now(tournament.pk, {table for _, *tables in missed for table in tables})
    follow(tournament.pk, version=version, changed=sizes, before=found)
    return True


def _sizes_now(tournament_id: int, tables: Iterable[int]) -> dict[int, Size | None]:
    """Return the sizes of these tables as committed now; None for a closed one."""
    ids = sorted(tables)
    sizes: dict[int, Size | None] = dict.fromkeys(ids)
    return sizes | {size.table: size for size in sizes_of(tournament_id, ids)[1]}


def _read(client: Redis, tournament: Tournament, table: int) -> Bounds | int | None:
    """Read the bounds in one trip.

    Return the version of a record at another one, -1 for none; None for one without the table.
    """
    arguments = [tournament.balance_version, table, needed(tournament), SHORTEST_TABLES_MAX]
    found = run(client, ScriptCall(_BOUNDS, _names(tournament.pk), arguments))
    if found is None:
        return None
    if len(found) == 1:
        return int(found[0])
    count, rank, longest, *shortest = map(int, found)
    others = zip(shortest[::2], shortest[1::2], strict=True)
    return Bounds(count, rank, longest, tuple(Size(other, 0, size) for other, size in others))


def bounds_of(sizes: list[Size], tournament: Tournament, table: int) -> Bounds:
    """Compute the bounds from sizes that were just read."""
    rank = break_order({size.table: size.number for size in sizes}).index(table)
    stay = {*staying(tournament, sizes)} - {table}
    others = sorted((size for size in sizes if size.table in stay), key=lambda size: size.size)
    longest = max(size.size for size in sizes)
    return Bounds(len(sizes), rank, longest, tuple(others[:SHORTEST_TABLES_MAX]))


def _names(tournament_id: int) -> list[str]:
    member = f"tournament:{tournament_id}"
    prefix = f"{{{keys.shard(member, settings.SHARDS)}}}:{member}"
    return [f"{prefix}:balance_version", f"{prefix}:sizes", f"{prefix}:numbers"]


_SIZES = """
SELECT t.balance_version, b.id, b.number,
       (SELECT count(*) FROM tables_seat s WHERE s.table_id = b.id)
     + (SELECT count(*) FROM tournaments_move m
         WHERE m.to_table_id = b.id AND m.state IN ('open', 'left'))
  FROM tournaments_tournament t
  LEFT JOIN tables_table b
    ON b.director = 'tournament' AND b.game = t.id AND b.status = 'open'
   AND (%s::bigint[] IS NULL OR b.id = ANY(%s::bigint[]))
 WHERE t.id = %s
"""

_STORE = """
local version = tonumber(redis.call('GET', KEYS[1]) or '-1')
if version > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[2], KEYS[3])
for i = 3, #ARGV, 3 do
  redis.call('ZADD', KEYS[3], ARGV[i + 1], ARGV[i])
  redis.call('ZADD', KEYS[2], ARGV[i + 2], ARGV[i])
end
redis.call('SET', KEYS[1], ARGV[1])
return 1
"""

_FOLLOW = """
local version = tonumber(redis.call('GET', KEYS[1]) or '-1')
if version ~= tonumber(ARGV[2]) then return version end
for i = 3, #ARGV, 3 do
  if tonumber(ARGV[i + 2]) < 0 then
    redis.call('ZREM', KEYS[2], ARGV[i])
    redis.call('ZREM', KEYS[3], ARGV[i])
  else
    redis.call('ZADD', KEYS[3], ARGV[i + 1], ARGV[i])
    redis.call('ZADD', KEYS[2], ARGV[i + 2], ARGV[i])
  end
end
redis.call('SET', KEYS[1], ARGV[1])
return version
"""

_RAISE = """
UPDATE tournaments_tournament SET balance_version = balance_version + %s
 WHERE state NOT IN ('finished', 'cancelled')
"""

# Doomed tables take no arrivals, so they are left out, as the asking table is. The shortest tables
# are read some at a time: of hundreds that are doomed, only those among the shortest are looked at.
_BOUNDS = """
local version = redis.call('GET', KEYS[1]) or '-1'
if version ~= ARGV[1] then return {version} end
local rank = redis.call('ZREVRANK', KEYS[3], ARGV[2])
if not rank then return false end
local count = redis.call('ZCARD', KEYS[2])
local longest = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
local found = {count, rank, longest[2]}
local doomed, most, from = count - tonumber(ARGV[3]), tonumber(ARGV[4]), 0
while #found < 3 + 2 * most and from < count do
  local some = redis.call('ZRANGE', KEYS[2], from, from + most, 'WITHSCORES')
  for i = 1, #some, 2 do
    local stays = doomed <= 0 or redis.call('ZREVRANK', KEYS[3], some[i]) >= doomed
    if stays and some[i] ~= ARGV[2] and #found < 3 + 2 * most then
      found[#found + 1] = some[i]
      found[#found + 1] = some[i + 1]
    end
  end
  from = from + most + 1
end
return found
"""
