"""Begin and end the epochs of a table in Redis: a state built from PostgreSQL, and its closing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.conf import settings
from redis import Redis

from config.redis.scripts import ScriptCall, counted, run
from tables.dealer import state as states
from tables.dealer.state import TableState
from tables.store import hidden_states, keys, lua
from tables.store.hidden_states import CarriedBox
from tables.store.streams import (
    cards_keys,
    private_rows,
    public_rows,
    resumed_cards,
    stream_entries,
)
from tables.wire.table_events import TableEvent

_json = msgspec.json.Encoder().encode


def open_at(redis: Redis, state: TableState, events: Sequence[TableEvent]) -> bool:
    """Store a state built from PostgreSQL under its new epoch; False when Redis has a newer one."""
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    due = states.wake(state)
    assert due is not None
    dealt = resumed_cards(state)
    cards = cards_keys(member, dealt)
    arguments = [
        state.epoch,
        member,
        hidden_states.encode(state),
        _json(states.users(state)),
        *due,
        keys.KEY_LIFETIME_S,
        *counted(public_rows(told)),
        *counted(private_rows(dealt, cards)),
    ]
    names = (*keys.of_table(member, settings.SHARDS), *cards.values())
    return bool(run(redis, ScriptCall(lua.source("open"), names, arguments)))


def close_at(
    redis: Redis,
    state: TableState,
    events: Sequence[TableEvent],
    carried: CarriedBox | None = None,
) -> bool:
    """End a table under a newer epoch with its last events; False when that was done before.

    With a `carried` box the table is due once more: a settle worker opens the decks in it.
    """
    assert state.phase == "closed"
    told = stream_entries(state, events, before=None)
    state = msgspec.structs.replace(state, seq=len(told))
    member = keys.table(state.table)
    arguments = [
        state.epoch,
        member,
        hidden_states.encode(state, carried),
        keys.KEY_LIFETIME_S,
        0 if carried is None else 1,
        *counted(public_rows(told)),
    ]
    names = keys.of_table(member, settings.SHARDS)
    return bool(run(redis, ScriptCall(lua.source("close"), names, arguments)))
