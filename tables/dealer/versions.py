"""Versions in front of stored bytes: a release refuses what a newer one wrote in another way."""

from __future__ import annotations

import msgspec

UNMARKED = 0x80
"""First byte of MessagePack arrays and maps, with which bytes without a version begin."""


class UnknownVersion(msgspec.DecodeError):
    """Stored bytes of a version that this release does not know."""


def marked(version: int, raw: bytes) -> bytes:
    """Return MessagePack bytes with their version, from 1 to 127, in front."""
    return bytes((version,)) + raw


def unmarked(raw: bytes, known: int) -> bytes:
    """Return the bytes after their version; those of releases before versions have none.

    Raises UnknownVersion above the `known` version.
    """
    if not raw or raw[0] >= UNMARKED:
        return raw
    if not 1 <= raw[0] <= known:
        raise UnknownVersion(f"version {raw[0]}, this release knows {known}")
    return raw[1:]
