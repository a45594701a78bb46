"""Visibility of a hand for each viewer: no deck, and no card that the viewer was not shown."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from tables.engine.events import HIDDEN, Card, Event, HandBegan, HoleCardsDealt
from tables.engine.state import HandState

AnyEvent = TypeVar("AnyEvent", bound=Event)


def view(event: AnyEvent, audience: int | None) -> AnyEvent:
    """Return the event as the seat `audience` sees it (None: the public); "??" for a hidden card.

    The seats' choices for the showdown stay hidden from all viewers (S-01).
    """
    if isinstance(event, HoleCardsDealt) and event.seat != audience:
        hidden = len(event.cards) - event.up
        return replace(event, cards=(HIDDEN,) * hidden + event.cards[hidden:])
    if isinstance(event, HandBegan):
        return replace(event, deck=(), open_losers=(), closed_losers=())
    return event


def look_up(state: HandState, audience: int | None) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Return the showdown hands that `audience` may ask to see afterwards, mucked included (S-03).

    Only seats that were dealt in may ask; cards folded before the showdown stay secret.
    """
    if not state.finished or state.rules.options.muck_secret or audience not in state.order:
        return ()
    live = [seat for seat in state.seats if not seat.folded]
    if len(live) < 2:
        return ()
    return tuple((seat.seat, seat.cards) for seat in live)
