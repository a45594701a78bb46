"""Decide whether what Redis holds of a table can be read; every reader of tables asks here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from redis.exceptions import ResponseError

from config import metrics
from tables.dealer.state import Outcome, TableState
from tables.store import hidden_states
from tables.store.connections import Tabs
from tables.store.connections import tabs as decode_tabs
from tables.store.deck_keys import NoDeckKey
from tables.store.hidden_states import CarriedBox

log = structlog.get_logger(__name__)

FIELDS = ("epoch", "version", "state")
"""Fields of the hash of a table that are read together."""

WRONG_TYPE = "WRONGTYPE"
"""Begin of the error of Redis for a key that holds another type."""

_outcomes = msgspec.json.Decoder(list[Outcome]).decode
_users = msgspec.json.Decoder(dict[str, int]).decode


class StoredState(msgspec.Struct, frozen=True):
    """State of a table in Redis, and the version under which a step from it is committed.

    `carried` is the box of an open state, where its reader could not open it.
    """

    state: TableState
    version: int
    carried: CarriedBox | None = None


def stored_state(table: int, reply: Any) -> StoredState | None:
    """Return the state in a reply with the `FIELDS` of a table; None when missing or unreadable.

    A state is unreadable when it is damaged, of a version that this release does not know, of
    another epoch than its hash, or in a key of another type. It counts as lost: the settle queue
    rebuilds its table from PostgreSQL under its next epoch.

    Raises NoDeckKey for a state whose cards this process may not read: that one is not lost.
    """
    return _stored(table, reply, _whole)


def open_state(table: int, reply: Any) -> StoredState | None:
    """Return the open state in a reply, as `stored_state` does, without a key."""
    return _stored(table, reply, hidden_states.decode_carried)


def best_state(table: int, reply: Any) -> StoredState | None:
    """Return the whole state in a reply where this process may read it, else the open one.

    An open one comes with its box, so that it can be stored again.
    """
    try:
        return stored_state(table, reply)
    except NoDeckKey:
        return open_state(table, reply)


def _whole(raw: bytes) -> tuple[TableState, None]:
    return hidden_states.decode(raw), None


def _stored(
    table: int, reply: Any, decode: Callable[[bytes], tuple[TableState, CarriedBox | None]]
) -> StoredState | None:
    if is_other_type(reply):
        _report(table, str(reply), b"")
        return None
    epoch, version, raw = reply
    if raw is None:
        return None
    try:
        state, carried = decode(raw)
        stored = StoredState(state, int(version), carried)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, ValueError) as error:
        _report(table, str(error), raw)
        return None
    if epoch != b"%d" % state.epoch or state.table != table:
        _report(table, f"table {state.table} epoch {state.epoch} under epoch {epoch!r}", raw)
        return None
    return stored


def kept_state(raw: bytes) -> TableState | None:
    """Return a state that PostgreSQL keeps of a decided hand; None when it is unreadable.

    Raises NoDeckKey.
    """
    try:
        return hidden_states.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        metrics.FAULTS.labels("unreadable_state").inc()
        log.error("decided hand unreadable", error=str(error), size=len(raw))
        return None


def seated_users(raw: Any) -> dict[int, int] | None:
    """Return the entries by user in the field `users` of a table; None when it is unreadable.

    The next step of the table writes the field anew.
    """
    try:
        return {int(user): entry for user, entry in _users(raw).items()}
    except (msgspec.DecodeError, TypeError, ValueError) as error:
        log.error("seats of a table unreadable", error=str(error))
        return None


def count(reply: Any) -> int:
    """Return a count in a reply; 0 when it is missing or unreadable."""
    try:
        return 0 if reply is None or is_other_type(reply) else int(reply)
    except ValueError:
        return 0


def tabs(reply: Any) -> Tabs:
    """Return the tabs of a table; none when they are unreadable."""
    try:
        return Tabs("", {}) if is_other_type(reply) else decode_tabs(reply)
    except ValueError as error:
        log.error("tabs of a table unreadable", error=str(error))
        return Tabs("", {})


def outcomes(raw: bytes) -> list[Outcome]:
    """Return the last results of a user's commands; none when they are unreadable."""
    try:
        return _outcomes(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        log.error("results of a player unreadable", error=str(error))
        return []


def is_other_type(reply: Any) -> bool:
    """Return whether the key of a reply holds another type; raises every other error."""
    if not isinstance(reply, Exception):
        return False
    if isinstance(reply, ResponseError) and str(reply).startswith(WRONG_TYPE):
        return True
    raise reply


def _report(table: int, why: str, raw: bytes) -> None:
    metrics.FAULTS.labels("unreadable_state").inc()
    log.error("table state unreadable", table=table, error=why, size=len(raw))
