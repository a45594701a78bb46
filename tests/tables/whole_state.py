"""Snapshots of whole states, as a gateway makes them of the open state and private events."""

from __future__ import annotations

from tables.dealer import record
from tables.dealer import snapshot as room
from tables.dealer.hiding import hide
from tables.dealer.state import TableState
from tables.engine.events import HIDDEN, HoleCardsDealt
from tables.engine.visibility import view
from tables.wire.client_events import TableSnapshot


def snapshot(state: TableState, user: int | None) -> TableSnapshot:
    """The table as `user` may see it (None: a spectator)."""
    open_state, _ = hide(state)
    count = 0 if user is None else room.private_groups(open_state, user)
    groups: room.Groups = ()
    if user is not None and count:
        seat = state.seat_of(user)
        groups = tuple(
            event.cards
            for event in record.told(state)
            if isinstance(event, HoleCardsDealt) and seat is not None and event.seat == seat.seat
            if HIDDEN in view(event, None).cards
        )
        assert len(groups) == count
    return room.snapshot(open_state, user, groups)
