"""Keeper of the log: one turn appends pending leaves, then signs a head over what is committed.

Every settle worker takes turns; a lock of PostgreSQL lets one of them at a time do the work. It
ends with the transaction, so a killed keeper holds nobody up. Tables never wait for the log.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import cache

from django.conf import settings
from django.db import connection, transaction

from config import clock
from tables.fairlog import composing, log_keys, storage
from tables.fairlog.composing import LoggedEnd
from tables.fairlog.log_keys import PublicKeys, RetiredKey
from tables.fairlog.storage import LogDamaged, PendingLeaf, PlacedLeaf, SignedHead, Waiting
from tables.fairness.cutting import CutState
from tables.fairness.encoding import digest
from tables.fairness.leaves import Fate, LeafKind, keys_leaf
from tables.fairness.notes import LogHead, sign_head
from tables.fairness.signing import public_key_of
from tables.fairness.tiles import WIDTH, TileReader, extended, range_root, split_hashes
from tables.fairness.tree import leaf_hash
from tables.workers import sealing

LOCK = (7_011_002, 0)
"""Keys of the advisory lock of the process that keeps the log."""

LEAVES_AT_ONCE_MAX = 200

_COUNTED = {
    CutState.NO_PLEDGE: "unpledged",
    CutState.SILENT: "silent",
    CutState.OPENED: "in_time",
    CutState.LATE: "late",
}


class Keeper:
    """One process that may keep the log, and tells its keys and its release in it."""

    def __init__(self) -> None:
        self._own: PublicKeys | None = None
        self._signed_by: list[bytes] = []
        self._seen = Waiting(None, None)

    def is_due(self) -> bool:
        """Return whether something has waited since the last look, or other keys are to sign.

        So several processes take one turn together for what is new, not one each.
        """
        before, self._seen = self._seen, storage.waiting()
        pairs = zip(before, self._seen, strict=True)
        has_waited = any(now is not None and now == then for then, now in pairs)
        return has_waited or self._signed_by != log_keys.private_keys()

    def take_turn(self) -> int:
        """Append what is pending and sign a head; return the number of leaves appended.

        0 as well while another process has the turn. Raises LogDamaged when the stored log is not
        the one that was signed, and RetiredKey with a log key that was replaced.
        """
        private, now_ms = log_keys.private_keys(), clock.database_now_ms()
        with transaction.atomic():
            if not _is_elected():
                return 0
            sizes, rows = storage.pending(LEAVES_AT_ONCE_MAX)
            appended = self._append(private, sizes.leaves, rows, now_ms)
            is_signed = sizes.leaves == sizes.signed and private == self._signed_by
            if not appended and is_signed:
                return 0
        # A head is signed over committed leaves alone, in a transaction of its own: a keeper that
        # dies in between leaves a log that the next one signs.
        with transaction.atomic():
            if _is_elected():
                _sign(private, _day(now_ms))
                self._signed_by = private
        return appended

    def _append(
        self, private: list[bytes], size: int, rows: Iterable[PendingLeaf], now_ms: int
    ) -> int:
        leaves: list[PlacedLeaf] = []
        if not size:
            leaves.append(PlacedLeaf(None, LeafKind.GENESIS, composing.genesis(now_ms)))
        leaves += self._new_keys(private, now_ms)
        ends: list[LoggedEnd] = []
        for row in rows:
            leaf, end = composing.composed(row)
            leaves.append(PlacedLeaf(row.pk, row.kind, leaf))
            ends += [end] if end is not None else []
        if leaves:
            hashes = [leaf_hash(leaf.leaf) for leaf in leaves]
            storage.append(size, leaves)
            storage.write_tiles(extended(storage.reader, size, hashes))
            _count(_day(now_ms), ends)
        return len(leaves)

    def _new_keys(self, private: list[bytes], now_ms: int) -> list[PlacedLeaf]:
        """Return the leaf of this process' keys, unless the log tells them already.

        The log is asked at every turn: another process may have told a key that replaces this one.
        """
        call, current = public_key_of(sealing.call_key()), public_key_of(private[0])
        if self._own is None or (call, current) != (self._own.call, self._own.log):
            self._own = PublicKeys(call, current, log_keys.static_manifest())
        mine, known = self._own, log_keys.told_keys()
        if known and mine.log != known[-1].log and mine.log in {keys.log for keys in known}:
            raise RetiredKey("this process holds a log key that was replaced")
        if mine in known:
            return []
        leaf = keys_leaf(
            call_key=mine.call, log_key=mine.log, manifest=mine.manifest, changed_ms=now_ms
        )
        return [PlacedLeaf(None, LeafKind.KEYS, leaf)]

    def forget(self) -> None:
        """Sign again at the next turn, after one that failed."""
        self._signed_by = []


def _is_elected() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", LOCK)
        return bool(cursor.fetchone()[0])


def _sign(private: list[bytes], day: date) -> None:
    """Sign a head over all leaves, unless the last head is over them and by these keys."""
    size, last = storage.size(), storage.head()
    tile = cache(storage.reader)
    root = range_root(tile)
    if not size:
        return
    if last is not None and last.size > size:
        raise LogDamaged(f"a head of {last.size} leaves was signed, {size} are there")
    if last is not None and root(0, last.size) != last.root:
        raise LogDamaged(f"the first {last.size} leaves are not those that were signed")
    _require_hashes(tile, last.size if last is not None else 0, size)
    head = LogHead(settings.FAIR_ORIGIN, size, root(0, size))
    note = signed(head, private)
    if last is None or last.note != note:
        storage.write_head(SignedHead(day, size, head.root, note))


def signed(head: LogHead, private: list[bytes]) -> str:
    """Return the head as a note with the signature of each key."""
    first, *others = (sign_head(head, key) for key in private)
    return first + "".join(note.rpartition("\n\n")[2] for note in others)


def _require_hashes(tile: TileReader, first: int, end: int) -> None:
    """Raise LogDamaged unless the leaves after the last head hash to what the tiles hold."""
    hashes = [leaf_hash(leaf) for leaf in storage.entries(first, end)]
    tiles = (tile(0, number) for number in range(first // WIDTH, -(-end // WIDTH)))
    held = [one for hashes in tiles for one in split_hashes(hashes)]
    skipped = first % WIDTH
    if digest(*hashes) != digest(*held[skipped : skipped + end - first]) or len(hashes) != (
        end - first
    ):
        raise LogDamaged(f"the leaves from {first} on are not those of the tiles")


def _day(now_ms: int) -> date:
    return datetime.fromtimestamp(now_ms / 1_000, UTC).date()


def _count(day: date, ends: Iterable[LoggedEnd]) -> None:
    counts: dict[str, int] = {}
    for end in ends:
        kind = {Fate.PLAYED: "played", Fate.UNPLAYED: "unplayed"}.get(end.fate, "void")
        is_uncut = end.fate == Fate.PLAYED and CutState.OPENED not in end.states
        for name in [kind, *(_COUNTED[state] for state in end.states), *["uncut"] * is_uncut]:
            counts[name] = counts.get(name, 0) + 1
    if counts:
        storage.count(day, counts)
