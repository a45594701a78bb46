"""Append commands of players to the inboxes of tables; a worker drains and answers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
import structlog
from django.conf import settings
from redis import Redis

from config import limits
from config.redis.scripts import ScriptCall, run
from tables.dealer.commands import Received
from tables.dealer.versions import UnknownVersion
from tables.store import keys, lua, ready
from tables.store.ready import BELL_LIFETIME_MS
from tables.wire.client_commands import CutDeck, TableCommand

log = structlog.get_logger(__name__)

_command = msgspec.json.Decoder(TableCommand).decode
_json = msgspec.json.Encoder().encode

VERSION = 1
"""Version of commands in inboxes; raised with a change that an older release would misread."""

_VERSION_MARK = b"%d " % VERSION

Status = Literal["no_table", "not_seated", "full", "accepted"]
_STATUS: tuple[Status, ...] = ("no_table", "not_seated", "full", "accepted")


class Appended(msgspec.Struct, frozen=True):
    """Outcome of appending a command, and whether the caller must ring the play queue for it."""

    status: Status
    ring: bool


def received(item: bytes) -> Received | None:
    """Return a command from an inbox; None when it is damaged or of a newer version.

    Commands of releases before versions have none.
    """
    try:
        user, at_ms, raw = item.split(b" ", 2)
        if not raw.startswith(b"{"):
            version, raw = raw.split(b" ", 1)
            if int(version) > VERSION:
                raise UnknownVersion(f"version {int(version)}, this release knows {VERSION}")
        return Received(user=int(user), at_ms=int(at_ms), command=_command(raw))
    except (msgspec.DecodeError, ValueError) as error:
        # The gateway decoded the command before storing it. What another software version or a
        # damage left must not stop the table, so it is dropped; its sender gets no answer.
        log.error("command dropped", error=str(error), size=len(item))
        return None


class SentCut(NamedTuple):
    """A cut with the user who sent it."""

    user: int
    cut: CutDeck


def cut_arguments(table: int, cuts: Sequence[SentCut]) -> tuple[list[str], list[str | int | bytes]]:
    """Keys and arguments of the script that appends cuts for one table."""
    values: list[str | int | bytes] = [
        keys.table(table),
        limits.INBOX_COMMANDS_MAX,
        limits.INBOX_CUTS_PER_SEAT_MAX,
        limits.WAKE_LEASE_MS,
    ]
    for user, cut in cuts:
        values += (user, _VERSION_MARK + _json(cut), int(cut.seed is not None))
    return _names(table), values


def cut_answer(raw: list[int]) -> tuple[list[Status], bool]:
    """Decode the reply of the script: each outcome, and whether to ring the table's bell."""
    ring, *statuses = raw
    return [_STATUS[status] for status in statuses], bool(ring)


def append_cut(redis: Redis, table: int, user: int, cut: CutDeck) -> tuple[Status, bool]:
    """Append a cut to the inbox of a table, stamped with its arrival (Lua, atomic)."""
    names, values = cut_arguments(table, [SentCut(user, cut)])
    [status], ring = cut_answer(run(redis, ScriptCall(lua.source("cut"), names, values)))
    return status, ring


def arguments(table: int, user: int, command: bytes) -> tuple[list[str], list[str | int | bytes]]:
    """Keys and arguments of the append script; `command` is a decoded message encoded again."""
    member = keys.table(table)
    return (
        [*_names(table), *ready.names(member)],
        [
            member,
            user,
            _VERSION_MARK + command,
            limits.INBOX_COMMANDS_MAX,
            limits.INBOX_COMMANDS_PER_SEAT_MAX,
            limits.COMMAND_WAKE_MS,
            BELL_LIFETIME_MS,
        ],
    )


def _names(table: int) -> list[str]:
    """Keys of `stored.lua`, with which both scripts begin."""
    member, shards = keys.table(table), settings.SHARDS
    wakes = keys.wakes(keys.shard(member, shards))
    return [keys.state(member, shards), keys.inbox(member, shards), wakes]


def answer(raw: list[int]) -> Appended:
    """Decode the reply of the append script."""
    status, ring = raw
    return Appended(_STATUS[status], bool(ring))


def append(redis: Redis, table: int, user: int, command: bytes) -> Appended:
    """Append a command to the inbox of a table, stamped with its arrival (Lua, atomic)."""
    names, values = arguments(table, user, command)
    return answer(run(redis, ScriptCall(lua.source("append"), names, values)))
