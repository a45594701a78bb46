"""Archived records: what stands in a hand's row is a reference into a stored file.

A file holds hands of one month, one gzip member for each, with one line of JSON; `zcat` reads it.
Its records are as they stood in their rows: boxed under the keys of their month.
"""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

import msgspec
from django.core.files.storage import default_storage

from config.files.away import FileAway
from tables.dealer.versions import marked

FOLDER = "hands"
ENDING = ".ndjson.gz"
VERSION = 127
"""First byte of a reference: the last of the versions, so that stored records count up to it."""

WHOLE_FILES_KEPT = 4
"""Files of a bucket in the memory of a process; a folder is read hand by hand."""

_DIGEST = 16
"""Bytes of a record's digest in a reference."""
_WINDOW = 8_192


class ArchiveAway(msgspec.DecodeError, FileAway):
    """The file of an archived record is missing, cut, changed, or the storage does not answer."""


class ArchivedHand(msgspec.Struct, frozen=True):
    """A line of an archive: the hand as its row named it, and its stored record."""

    hand: int
    table: int
    number: int
    epoch: int
    finished_at: str
    digest: str
    record: str

    def raw(self) -> bytes:
        """Return the stored record."""
        return b64decode(self.record, validate=True)


class RecordReference(msgspec.Struct, frozen=True, array_like=True):
    """Place of an archived record: file, first byte and length of its member, its own digest."""

    name: str
    first: int
    length: int
    digest: bytes


class ArchiveMember(NamedTuple):
    """A hand of a file, and the reference that takes the place of its record."""

    line: ArchivedHand
    reference: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(RecordReference).decode
_decode_line = msgspec.json.Decoder(ArchivedHand).decode


def is_reference(raw: bytes) -> bool:
    """Return whether the bytes of a row refer to an archive."""
    return raw[:1] == bytes((VERSION,))


def fetched(raw: bytes) -> bytes:
    """Return the record of a row: the bytes themselves, or those that they refer to.

    Raises ArchiveAway.
    """
    if not is_reference(raw):
        return raw
    at = _decode(raw[1:])
    record = _line_in(_part(at), at.name).raw()
    if sha256(record).digest()[:_DIGEST] != at.digest:
        raise ArchiveAway(f"{path(at.name)}: another record at byte {at.first}")
    return record


def member(line: ArchivedHand) -> bytes:
    """Return a hand as it stands in a file."""
    return gzip.compress(json.dumps(msgspec.to_builtins(line)).encode() + b"\n", 6, mtime=0)


def line_of(hand: tuple[int, int, int, int, str, str], record: bytes) -> ArchivedHand:
    """Return the line of a hand: its key, table, number, epoch, time and digest; its record."""
    return ArchivedHand(*hand, b64encode(record).decode())


def members(name: str, content: bytes) -> Iterator[ArchiveMember]:
    """Yield the hands of a file with their references; raises ArchiveAway."""
    first = 0
    while first < len(content):
        end = _end_of_member(content, first, name)
        line = _line_in(content[first:end], name)
        digest = sha256(line.raw()).digest()[:_DIGEST]
        at = RecordReference(name, first, end - first, digest)
        yield ArchiveMember(line, marked(VERSION, _encode(at)))
        first = end


def path(name: str) -> str:
    """Return the name of a file in the storage."""
    return f"{FOLDER}/{name}{ENDING}"


def whole_file(name: str) -> bytes:
    """Return a file from the storage; raises ArchiveAway."""
    return _read(name, 0, -1)


def _part(at: RecordReference) -> bytes:
    try:
        default_storage.path(path(at.name))
    except NotImplementedError:  # a bucket: each opening transfers the file
        return _kept_whole(at.name)[at.first : at.first + at.length]
    return _read(at.name, at.first, at.length)


def _read(name: str, first: int, length: int) -> bytes:
    try:
        with default_storage.open(path(name)) as file:
            file.seek(first)
            return bytes(file.read(length))
    except FileNotFoundError as error:
        raise ArchiveAway(f"{path(name)} is missing") from error
    except Exception as error:  # a bucket that does not answer has errors of its own
        raise ArchiveAway(f"{path(name)} cannot be read: {error}") from error


def _end_of_member(content: bytes, first: int, name: str) -> int:
    inflate, end = zlib.decompressobj(wbits=31), first
    while not inflate.eof:
        part = content[end : end + _WINDOW]
        if not part:
            raise ArchiveAway(f"{path(name)} ends within a hand")
        try:
            inflate.decompress(part)
        except zlib.error as error:
            raise ArchiveAway(f"{path(name)}: {error}") from error
        end += len(part)
    return end - len(inflate.unused_data)


@lru_cache(WHOLE_FILES_KEPT)
def _kept_whole(name: str) -> bytes:
    return whole_file(name)


def _line_in(part: bytes, name: str) -> ArchivedHand:
    try:
        return _decode_line(gzip.decompress(part))
    except (OSError, EOFError, zlib.error, ValueError, msgspec.DecodeError) as error:
        raise ArchiveAway(f"{path(name)}: {error}") from error
