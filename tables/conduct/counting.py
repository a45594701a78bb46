"""Counting of settled hands, each once, in one transaction with the end of its waiting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from random import Random
from typing import Any, NamedTuple

import msgspec
import structlog
from django.db import connection, transaction
from msgspec.structs import astuple

from config.sums import add_to
from tables.conduct.rules.figures import HandFigures, PairFigures, PlayerFigures, hand_figures
from tables.dealer.record import HandRecord
from tables.dealt import counting as dealt_counting
from tables.dealt.boxed import DealtKey
from tables.dealt.figures import DealtFigures
from tables.records import stored
from tables.records.archive import ArchiveAway
from tables.records.month_keys import BurntMonth

log = structlog.get_logger(__name__)

HANDS_AT_ONCE_MAX = 50

LOCK = (7_011_003, 0)
"""Keys of the advisory lock of the process that counts."""

PLAYER_NAMES = PlayerFigures.__struct_fields__
PAIR_NAMES = PairFigures.__struct_fields__


class PlayerMonth(NamedTuple):
    """Key of a row of a player."""

    user: int
    month: int


class PairMonth(NamedTuple):
    """Key of a row of a pair."""

    first: int
    second: int
    month: int


class DayKey(NamedTuple):
    """Key of a day of play."""

    user: int
    day: date


class ConductCount:
    """Figures of several hands by the keys of their rows, from the month `since` on.

    Cards that were dealt are counted of every month.
    """

    def __init__(self, since: int = 0) -> None:
        self._since = since
        self.players: dict[PlayerMonth, PlayerFigures] = {}
        self.pairs: dict[PairMonth, PairFigures] = {}
        self.days: defaultdict[DayKey, int] = defaultdict(int)
        self.dealt: dict[DealtKey, DealtFigures] = {}

    def add(self, hand: HandRecord, without: Iterable[int] = ()) -> None:
        """Add a hand; users in `without` have no figures any more.

        A hand whose figures fail counts nothing; the others go on being counted.
        """
        try:
            self._add(hand, set(without))
        except Exception:
            log.exception("figures of a hand failed", table=hand.table, hand=hand.hand)

    def _add(self, hand: HandRecord, gone: set[int]) -> None:
        ended = datetime.fromtimestamp(hand.ended_ms / 1_000, UTC)
        month = ended.year * 100 + ended.month
        # All that may fail comes before the first figure is added.
        figures = HandFigures({}, {})
        if month >= self._since:
            figures = hand_figures(hand, Random(hand.digest()))  # nosec B311
        dealt_counting.count_dealt(self.dealt, hand, gone)
        for user, own in figures.players.items():
            if user in gone:
                continue
            key = PlayerMonth(user, month)
            add_to(self.players, key, own)
            self.days[DayKey(user, ended.date())] |= 1 << ended.hour
        for pair, both in figures.pairs.items():
            if gone.isdisjoint(pair):
                add_to(self.pairs, PairMonth(*pair, month), both)


def count_waiting() -> int:
    """Count released hands that wait; return their number, 0 while another process counts.

    Counters and the end of the waiting are one transaction: a hand counts once, whoever dies. One
    that nobody can read waits no longer, and counts nothing; one in an archive that is away waits
    for it.
    """
    with transaction.atomic():
        if not is_elected():
            return 0
        with connection.cursor() as cursor:
            cursor.execute(_WAITING, [HANDS_AT_ONCE_MAX])
            rows = cursor.fetchall()
        if not rows:
            return 0
        count = ConductCount()
        read, hands = _read(rows)
        deleted = _deleted({user for kept in hands for user in kept.users()})
        for kept in hands:
            count.add(kept, without=deleted)
        write(count)
        with connection.cursor() as cursor:
            cursor.execute(_COUNTED, [read])
    return len(read)


def _read(rows: Sequence[tuple[int, bytes]]) -> tuple[list[int], list[HandRecord]]:
    """Return the hands that wait no longer, and the records of those that count."""
    read: list[int] = []
    hands: list[HandRecord] = []
    for hand, raw in rows:
        try:
            kept = record_of(hand, bytes(raw))
        except ArchiveAway as away:
            log.warning("hand waits for its archive", hand=hand, error=str(away))
            continue
        read.append(hand)
        if kept is not None:
            hands.append(kept)
    return read, hands


def _deleted(users: set[int]) -> list[int]:
    """Return those of some users whose accounts are deleted, and let no other one go meanwhile.

    A deletion locks its account first, so that it waits and then deletes these figures too.
    """
    with connection.cursor() as cursor:
        cursor.execute(_ACCOUNTS, [sorted(users)])
        return [user for user, is_deleted in cursor.fetchall() if is_deleted]


def record_of(hand: int, raw: bytes) -> HandRecord | None:
    """Return a record to count; None for a damaged one and one whose month's key was deleted.

    Raises NoMonthKey in a process without keys, ArchiveAway for one whose archive is away.
    """
    try:
        return stored.decode(raw)
    except BurntMonth:
        return None
    except ArchiveAway:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.error("damaged record is not counted", hand=hand, error=str(error))
        return None


def is_elected() -> bool:
    """Return whether this transaction alone counts and looks for signs, until its end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", LOCK)
        return bool(cursor.fetchone()[0])


@contextmanager
def nobody_counts() -> Iterator[None]:
    """Keep all other processes from counting during the block, whatever it commits.

    A connection of its own holds the lock until the end of its transaction, which writes nothing.
    """
    holder = connection.copy()
    try:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", LOCK)
        yield
    finally:
        holder.close()


def write(count: ConductCount) -> None:
    """Add figures to the rows of their keys, in the order of the keys."""
    with connection.cursor() as cursor:
        if count.players:
            cursor.executemany(_ADD_PLAYERS, _values(count.players))
        if count.pairs:
            cursor.executemany(_ADD_PAIRS, _values(count.pairs))
        dealt_counting.write(count.dealt)
        if count.days:
            days = [(*key, hours) for key, hours in sorted(count.days.items())]
            cursor.executemany(_ADD_DAYS, days)


def stored_figures(values: Iterable[Any]) -> PlayerFigures:
    """Return the figures of a player's row: its columns in the order of PLAYER_NAMES."""
    plain: list[Any] = [tuple(one) if isinstance(one, list) else one for one in values]
    return PlayerFigures(*plain)


def _values(
    rows: dict[PlayerMonth, PlayerFigures] | dict[PairMonth, PairFigures],
) -> list[tuple[Any, ...]]:
    return [
        (*key, *(list(one) if isinstance(one, tuple) else one for one in astuple(figures)))
        for key, figures in sorted(rows.items())
    ]


def _sum(table: str, name: str) -> str:
    if name not in ("times", "calls"):
        return f"{name} = {table}.{name} + excluded.{name}"
    return (
        f"{name} = (SELECT array_agg(a + b ORDER BY n)"  # nosec B608
        f" FROM unnest({table}.{name}, excluded.{name}) WITH ORDINALITY AS u(a, b, n))"
    )


def _adding(table: str, keys: tuple[str, ...], names: tuple[str, ...]) -> str:
    values = ", ".join(["%s"] * (len(keys) + len(names)))
    sums = ", ".join(_sum(table, name) for name in names)
    return (
        f"INSERT INTO {table} ({', '.join((*keys, *names))}, is_new)"  # nosec B608
        f" VALUES ({values}, true)"
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {sums}, is_new = true"
    )


_WAITING = """
SELECT u.hand, h.record
  FROM conduct_uncountedhand u JOIN tables_hand h ON h.id = u.hand
 WHERE h.released_at IS NULL OR h.released_at <= statement_timestamp()
 ORDER BY u.hand LIMIT %s
"""

_ACCOUNTS = """
SELECT id, deleted_at IS NOT NULL FROM accounts_user WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE
"""

_COUNTED = "DELETE FROM conduct_uncountedhand WHERE hand = ANY(%s)"

_ADD_PLAYERS = _adding("conduct_playerconduct", ("user_id", "month"), PLAYER_NAMES)
_ADD_PAIRS = _adding("conduct_pairconduct", ("first_id", "second_id", "month"), PAIR_NAMES)
_ADD_DAYS = """
INSERT INTO conduct_playerday AS d (user_id, day, hours) VALUES (%s, %s, %s)
    ON CONFLICT (user_id, day) DO UPDATE SET hours = d.hours | excluded.hours
"""
