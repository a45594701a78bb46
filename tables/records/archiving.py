"""Archiving of old hands: their records go from the rows into stored files, month by month.

1. A file with the records of some hands is stored, synced to its disk and read back.
2. Its row of `HandArchive`, with its digest, is committed; the hands still have their records.
3. References take the place of the records, some rows in each transaction, each compared.

A run that ends after 1 leaves a file without a row, which goes with the orphan files; one that ends
after 2 is continued by the next. At every moment each record is in its row or in a stored file.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from config import entropy
from tables.dealer import record
from tables.models import HandArchive
from tables.records import archive, stored

HANDS_PER_FILE = 1_000
ROWS_AT_ONCE = 200
"""Rows of hands that one transaction changes."""

_LOCK = 0x68616E6473
"""Key of the advisory lock of whoever makes a file."""

log = structlog.get_logger(__name__)


class ArchivingRefused(Exception):
    """Archiving cannot go on, for a reason that the operator reads."""


class _FinishedHand(NamedTuple):
    """A row of a hand."""

    key: int
    table: int
    number: int
    epoch: int
    digest: str
    record: bytes
    finished_at: datetime

    @property
    def month(self) -> int:
        return self.finished_at.year * 100 + self.finished_at.month

    def member(self) -> bytes:
        """Return the hand as it stands in a file."""
        named = (self.key, self.table, self.number, self.epoch)
        told = (self.finished_at.isoformat(), self.digest)
        return archive.member(archive.line_of((*named, *told), self.record))


def end_of_months(older: int, now: datetime) -> datetime:
    """Return the first moment (UTC) whose hands are younger than so many whole months."""
    month = now.year * 12 + now.month - 1 - older
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)


def waiting(until: datetime) -> int:
    """Return the number of hands before `until` whose records are in their rows."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [_archived_upto(), until])
        return int(cursor.fetchone()[0]) + sum(
            one.hands for one in HandArchive.objects.filter(taken_at=None)
        )


def archive_some(until: datetime, most: int = HANDS_PER_FILE) -> int:
    """Archive the next hands that finished before `until`; return their number, 0 at the end.

    Raises ArchivingRefused, FileAway, and what the storage raises; nothing is lost then.
    """
    begun = HandArchive.objects.filter(taken_at=None).order_by("pk").first()
    if begun is not None and fault_of(begun) and not _refers_any(begun):
        log.warning("archive made anew: its file is gone", file=begun.name)
        begun.delete()
        begun = None
    made = begun or _make_file(until, min(most, HANDS_PER_FILE))
    return 0 if made is None else _take_records(made)


def fault_of(made: HandArchive) -> str:
    """Return why the file of an archive cannot be read as it was stored; "" for none."""
    try:
        _whole_file(made)
    except archive.ArchiveAway as error:
        return str(error)
    return ""


def named(names: Collection[str]) -> set[str]:
    """Return those of some file names that an archive names."""
    keys = [name.removesuffix(archive.ENDING) for name in names]
    rows = HandArchive.objects.filter(name__in=keys)
    return {name + archive.ENDING for name in rows.values_list("name", flat=True)}


def _make_file(until: datetime, most: int) -> HandArchive | None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
            if not cursor.fetchone()[0]:
                raise ArchivingRefused("another run archives hands at this moment")
        hands = _next_hands(until, most)
        if not hands:
            return None
        # 1. The file before its row: what a row names is there, and on its disk.
        month = hands[0].month
        name = f"{month // 100}-{month % 100:02}-{entropy.name()}"
        content = b"".join([hand.member() for hand in hands])
        _store(name, content)
        # 2. The row with the digest, before anything is taken from the hands.
        return HandArchive.objects.create(
            name=name,
            month=month,
            digest=sha256(content).hexdigest(),
            size=len(content),
            hands=len(hands),
            first=hands[0].key,
            last=hands[-1].key,
        )


def _take_records(made: HandArchive) -> int:
    """Put references in the place of the records of an archive; repeated calls do no harm."""
    rows = [
        (member.line.hand, member.reference, sha256(member.line.raw()).digest())
        for member in archive.members(made.name, _whole_file(made))
    ]
    # 3. Compare and set: a record that is not the one in the file stays in its row.
    for first in range(0, len(rows), ROWS_AT_ONCE):
        columns = [list(column) for column in zip(*rows[first : first + ROWS_AT_ONCE], strict=True)]
        with connection.cursor() as cursor:
            cursor.execute(_TAKE, columns)
    made.taken_at = timezone.now()
    made.save(update_fields=["taken_at"])
    log.info("hands archived", file=made.name, hands=made.hands, bytes=made.size)
    return made.hands


def _whole_file(made: HandArchive) -> bytes:
    content = archive.whole_file(made.name)
    if sha256(content).hexdigest() != made.digest:
        raise archive.ArchiveAway(f"{archive.path(made.name)} is not as it was stored")
    return content


def _refers_any(made: HandArchive) -> bool:
    """Return whether a record of an archive was taken out of its row."""
    with connection.cursor() as cursor:
        cursor.execute(_REFERS, [made.first, made.last, archive.VERSION])
        return bool(cursor.fetchone()[0])


def _next_hands(until: datetime, most: int) -> list[_FinishedHand]:
    """Return the next hands of one month, in the order of their keys.

    Keys and times of hands follow each other but for moments, so the first hand that is too young,
    or of another month, ends the list.
    """
    after = _archived_upto()
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_NEXT, [after, most])
            rows = [_FinishedHand(*row)._replace(record=bytes(row[5])) for row in cursor.fetchall()]
        hands: list[_FinishedHand] = []
        for row in rows:
            if row.finished_at >= until or (hands and row.month != hands[0].month):
                return hands
            if _is_archivable(row):
                hands.append(row)
        if hands or not rows:
            return hands
        after = rows[-1].key


def _is_archivable(hand: _FinishedHand) -> bool:
    if archive.is_reference(hand.record):
        return False
    if stored.is_boxed(hand.record):
        return True
    try:
        record.decode(hand.record)
    except (msgspec.DecodeError, UnicodeDecodeError):
        log.error("record left in its row: nobody can read it", hand=hand.key)
        return False
    raise ArchivingRefused(
        f"hand {hand.key} is in plain: box hands of earlier releases by `manage.py seal_records`"
    )


def _archived_upto() -> int:
    return HandArchive.objects.aggregate(last=Max("last"))["last"] or 0


def _store(name: str, content: bytes) -> None:
    path = archive.path(name)
    stored_as = default_storage.save(path, ContentFile(content))
    assert stored_as == path, "a name of 128 random bits is new"
    _sync(path)
    if archive.whole_file(name) != content:
        raise archive.ArchiveAway(f"{path} was stored otherwise")


def _sync(path: str) -> None:
    """Sync a file and its folders to their disk; a bucket answers once it keeps the file."""
    try:
        file = Path(default_storage.path(path))
    except NotImplementedError:
        return
    for place in (file, file.parent, file.parent.parent):
        opened = os.open(place, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


_WAITING = "SELECT count(*) FROM tables_hand WHERE id > %s AND finished_at < %s"

_NEXT = """
SELECT id, table_id, number, epoch, digest, record, finished_at FROM tables_hand
 WHERE id > %s ORDER BY id LIMIT %s
"""

_REFERS = """
SELECT EXISTS (SELECT FROM tables_hand WHERE id BETWEEN %s AND %s AND get_byte(record, 0) = %s)
"""

_TAKE = """
UPDATE tables_hand h SET record = v.reference
  FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[]) AS v(id, reference, digest)
 WHERE h.id = v.id AND sha256(h.record) = v.digest
"""
