"""Granted hands of tables that close: taken back before their cards are dealt, and opened."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from msgspec.structs import replace
from redis import Redis, RedisError

from config.redis import room
from tables.dealer.sealed import CalledHand
from tables.dealer.state import TableState
from tables.fairness.leaves import FateReason
from tables.models import Table
from tables.store import fenced
from tables.store.hidden_states import CarriedBox
from tables.store.readable import StoredState
from tables.wire.table_events import DeckOpened
from tables.workers import sealing

log = structlog.get_logger(__name__)

ATTEMPTS_MAX = 3
"""Attempts to take a hand back: a cut may be committed in between."""

HELD_MS = 10_000
"""Pause of a table whose hand was taken back; it ends when the transaction commits."""


def end_closing(tables: Sequence[Table]) -> None:
    """End the open seals of locked tables in the transaction that closes them.

    A granted hand is first taken back in Redis, under the fence, so that no worker can deal it any
    more. Its deck is void before its cards, and opened: here, or by a settle worker where this
    process has no deck key. A hand that is dealt, or that Redis does not answer for, is void in
    play, and its deck stays closed.
    """
    # A transaction that rolls back leaves the table as it is taken back here: its settle worker
    # finds another hand in PostgreSQL, and makes the hand void.
    redis = room()
    undealt: list[CalledHand] = []
    for table in tables:
        if table.granted_hand <= table.hand:
            continue
        try:
            called = _take_back(redis, table.pk)
        except (RedisError, fenced.NotAdopted) as error:
            log.warning("hand not taken back", table=table.pk, error=str(error))
            break
        if called is not None:
            undealt.append(called)
    sealing.end([table.pk for table in tables], FateReason.CLOSED, undealt=undealt)
    for called in undealt:
        if called.sealed.secret:
            sealing.open_deck(called.sealed, called)


def open_undealt(state: TableState) -> tuple[DeckOpened, ...]:
    """Open the decks of a closed table of which no card was dealt; return the events that tell.

    The hand after the last one, if it is sealed, and the hand that was taken back; none of an open
    state, which has no secrets.
    """
    opened = []
    if state.next_seal is not None and state.next_seal.secret:
        opened.append(sealing.open_deck(state.next_seal))
    if state.phase == "boundary" and state.called is not None and state.called.sealed.secret:
        opened.append(sealing.open_deck(state.called.sealed, state.called))
    return tuple(event for event in opened if event is not None)


def carried_box(found: StoredState) -> CarriedBox | None:
    """Return the box of an open state that has the secret of a deck nobody was dealt, or None."""
    state = found.state
    is_needed = state.next_seal is not None or (
        state.phase == "boundary" and state.called is not None
    )
    return found.carried if is_needed else None


def open_left(redis: Redis, loaded: fenced.Loaded) -> None:
    """Open the undealt decks of a closed table, whose box a process without the deck key carried.

    Their fates are in PostgreSQL: a deck that was dealt stays closed. The table is due no more.
    """
    state, called = loaded.state, loaded.state.called
    held = (called is not None and called.sealed.secret) or state.next_seal is not None
    if not held:
        return
    told = {event.seal for event in state.opened}
    decks = [(called.sealed, called)] if called is not None else []
    left = [*decks, (state.next_seal, None)] if state.next_seal is not None else decks
    found = [
        sealing.open_deck(sealed, call)
        for sealed, call in left
        if sealed.secret and sealed.seal.hex() not in told
    ]
    opened = tuple(event for event in found if event is not None)
    bare = called and replace(called, sealed=replace(called.sealed, secret=b""))
    everything = (*state.opened, *opened)
    ended = replace(state, called=bare, next_seal=None, seed="", opened=everything)
    fenced.commit(redis, loaded, ended, opened, drained=0)


def _take_back(redis: Redis, table: int) -> CalledHand | None:
    """Return the called hand of a table once it cannot be dealt; None when it may be dealt."""
    for _ in range(ATTEMPTS_MAX):
        loaded = fenced.load_best(redis, table)
        if loaded is None or loaded.state.phase != "granted":
            return None
        state = loaded.state
        if state.called is None or state.called.sealed.hand != state.hand_number:
            return None
        held = replace(state, phase="boundary", due_ms=loaded.now_ms + HELD_MS)
        if fenced.commit(redis, loaded, held, (), drained=0) is not None:
            return state.called
    return None
