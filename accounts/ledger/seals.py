"""Seals: chains of digests over append-only rows, which reveal later changes.

A seal covers the rows of one table up to an id and names the seal before it. Its mark is an HMAC
under a key made from SECRET_KEY, so that a seal cannot be made with the database alone.

Rows are sealed in batches by the auditor, never by the transaction that adds them: the money path
takes no lock and does no work for it. Ids are handed out before transactions commit, so a seal
must not pass over a row that is still to appear. `SealProgress` therefore goes in three steps:

1. `seen_upto` notes the largest id there is.
2. At least a statement timeout later every statement that was handed such an id is over or has a
   transaction number: `ready_upto` takes the id over, `ready_xid` notes the next free number.
3. As soon as all transactions below `ready_xid` have ended, the rows to `ready_upto` are final.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from psycopg import sql

from accounts.models import Seal, SealProgress
from config import limits, redis

log = structlog.get_logger(__name__)

TABLE = "accounts_seal"
WITNESS = "seals"
"""Key of the newest marks in the room's Redis, which a change of the database does not reach."""

APART_S = limits.DATABASE_STATEMENT_TIMEOUT_MS / 1_000
ROWS_MAX = 20_000
ID_MIN = -(2**63)
"""First id of every chain, far below the ids in use: rows inserted below them are found as well."""
SEALS_AT_ONCE_MAX = 50


@dataclass(frozen=True, slots=True)
class Sealed:
    """Append-only table, ordered by `id`, with the columns its seals cover.

    Columns are SQL expressions with a text that does not depend on session settings.
    """

    name: str
    table: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Now:
    """Largest id, oldest open and next free transaction of one database snapshot."""

    last: int
    oldest_xid: int
    next_xid: int


_registered: dict[str, Sealed] = {}


def register(sealed: Sealed) -> None:
    """Register a table so that its rows are sealed and checked."""
    assert sealed.name not in _registered, sealed.name
    _registered[sealed.name] = sealed


def registered() -> tuple[Sealed, ...]:
    """Return every registered table."""
    return tuple(_registered.values())


def seal(apart_s: float = APART_S) -> int:
    """Seal all final rows of every table; return the number of new seals.

    Calls may be late, repeated or concurrent: the progress row is locked. The steps are `apart_s`
    seconds apart; less than a statement timeout is safe only without other writers.
    """
    made = 0
    for one in registered():
        for _ in range(SEALS_AT_ONCE_MAX):
            with transaction.atomic():
                row = _advance(one, apart_s)
            if row is None:
                break
            made += 1
            # The log and Redis are out of reach of an attacker with the database alone.
            log.info("sealed", chain=one.name, number=row.number, upto=row.upto, mark=row.mark)
            redis.room().hset(WITNESS, one.name, f"{row.number} {row.mark}")
    return made


def verify_seals(since: str = "") -> list[str]:
    """Recompute every seal from its rows; return each mismatch as a sentence.

    `since` is a mark written down earlier: a chain without that mark was cut or rebuilt.
    """
    findings = [line for one in registered() for line in _check(one)]
    if since and not Seal.objects.filter(mark=since).exists():
        findings.append(f"no seal has the mark {since}: seals were removed or made anew")
    return findings


def check_some(chain_from: dict[str, int], most: int) -> list[str]:
    """Recompute the next `most` seals of each chain, starting over after the newest.

    `chain_from` holds the position in each chain and is updated.
    """
    findings: list[str] = []
    for one in registered():
        first = chain_from.get(one.name, 1)
        findings += _check(one, first, most)
        more = Seal.objects.filter(chain=one.name, number__gte=first + most).exists()
        chain_from[one.name] = first + most if more else 1
    return findings


def marks() -> dict[str, str]:
    """Return the mark of the newest seal of each chain, to be kept outside of the database."""
    newest = {one.name: _newest(one) for one in registered()}
    return {name: row.mark for name, row in newest.items() if row is not None}


def _newest(one: Sealed) -> Seal | None:
    return Seal.objects.filter(chain=one.name).order_by("-number").first()


def _advance(one: Sealed, apart_s: float) -> Seal | None:
    """Take the next step of a chain; return the new seal, or None."""
    SealProgress.objects.get_or_create(chain=one.name)
    progress = SealProgress.objects.select_for_update().get(chain=one.name)
    before, now = _newest(one), _look(one)
    sealed = 0 if before is None else before.upto
    if now.next_xid < progress.ready_xid:  # restored into a fresh server, which counts anew
        progress.ready_upto = progress.seen_upto = sealed
        progress.ready_xid = 0
    made = None
    if sealed < progress.ready_upto and now.oldest_xid >= progress.ready_xid:
        made = _made(one, before, _batch_end(one, sealed, progress.ready_upto))
        sealed = made.upto
    early = progress.at is not None and timezone.now() < progress.at + timedelta(seconds=apart_s)
    if sealed >= progress.ready_upto and not early and progress.ready_upto < now.last:
        progress.ready_upto, progress.ready_xid = progress.seen_upto, now.next_xid
        progress.seen_upto, progress.at = now.last, timezone.now()
    progress.save()
    return made


def _made(one: Sealed, before: Seal | None, upto: int) -> Seal:
    row = Seal(chain=one.name, number=1, previous="", upto=upto)
    first = ID_MIN
    if before is not None:
        row.number, row.previous, first = before.number + 1, before.mark, before.upto + 1
    row.rows, row.digest = _digest(one, first, upto)
    row.key = _fingerprint(settings.SECRET_KEY)
    row.mark = _mark(row, settings.SECRET_KEY)
    row.save(force_insert=True)
    return row


def _check(one: Sealed, first: int = 1, most: int | None = None) -> Iterator[str]:
    keys = {_fingerprint(key): key for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)}
    chain = Seal.objects.filter(chain=one.name)
    before = chain.filter(number=first - 1).first()
    number, previous, upto = first - 1, "", ID_MIN - 1
    if before is not None:
        previous, upto = before.mark, before.upto
    rows = chain.filter(number__gte=first).order_by("number")
    for row in rows.iterator() if most is None else rows[:most]:
        number += 1
        where = f"seal {row.number} of {one.name}"
        if row.number != number or row.previous != previous or row.upto < upto:
            yield f"{where} does not follow the one before it"
        if row.key not in keys:
            yield f"{where} was made with another SECRET_KEY, which is no fallback either"
        elif not hmac.compare_digest(row.mark, _mark(row, keys[row.key])):
            yield f"{where} was changed, or made without the key"
        found = _digest(one, upto + 1, row.upto)
        if found != (row.rows, row.digest):
            yield (
                f"{one.table}: rows up to {row.upto} are not those that were sealed"
                f" ({found[0]} rows, sealed were {row.rows})"
            )
        number, previous, upto = row.number, row.mark, row.upto
    yield from _witnessed(one)


def _witnessed(one: Sealed) -> Iterator[str]:
    """Check that the newest mark known to Redis exists; an emptied Redis has none."""
    told = redis.room().hget(WITNESS, one.name)
    if told is None:
        return
    number, _, mark = redis.as_text(told).partition(" ")
    known = Seal.objects.filter(chain=one.name, mark=mark)
    if not number.isdecimal() or not known.filter(number=int(number)).exists():
        yield f"seal {number} of {one.name}, which Redis knows, is missing: it was removed"


def _look(one: Sealed) -> _Now:
    query = sql.SQL(
        "SELECT coalesce((SELECT max(id) FROM {}), 0),"
        " pg_snapshot_xmin(pg_current_snapshot())::text::bigint,"
        " pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
    )
    with connection.cursor() as cursor:
        cursor.execute(query.format(sql.Identifier(one.table)))
        return _Now(*cursor.fetchone())


def _batch_end(one: Sealed, after: int, upto: int) -> int:
    query = sql.SQL(
        "SELECT max(id) FROM"
        " (SELECT id FROM {} WHERE id > %s AND id <= %s ORDER BY id LIMIT %s) AS batch"
    ).format(sql.Identifier(one.table))
    with connection.cursor() as cursor:
        cursor.execute(query, [after, upto, ROWS_MAX])
        last = cursor.fetchone()[0]
        cursor.execute(query, [last or after, upto, 1])
        more = cursor.fetchone()[0] is not None
    return int(last) if more and last is not None else upto


def _digest(one: Sealed, first: int, upto: int) -> tuple[int, str]:
    """Return the number of rows between two ids and the SHA-256 of their text."""
    query = sql.SQL(
        "SELECT count(*), encode(sha256(convert_to(coalesce(string_agg("
        "jsonb_build_array({})::text, E'\n' ORDER BY id), ''), 'UTF8')), 'hex')"
        " FROM {} WHERE id BETWEEN %s AND %s"
    ).format(sql.SQL(", ").join(map(sql.SQL, one.columns)), sql.Identifier(one.table))
    with connection.cursor() as cursor:
        cursor.execute(query, [first, upto])
        rows, digest = cursor.fetchone()
    return int(rows), str(digest)


def _mark(row: Seal, secret: str) -> str:
    said = [row.chain, row.number, row.previous, row.upto, row.rows, row.digest]
    return hmac.new(_key(secret), json.dumps(said).encode(), hashlib.sha256).hexdigest()


def _key(secret: str) -> bytes:
    return hmac.new(secret.encode(), b"seals of the room", hashlib.sha256).digest()


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(_key(secret)).hexdigest()[:16]
