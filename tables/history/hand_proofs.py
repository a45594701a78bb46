"""Proof of a finished hand for one viewer, from its settled record."""

from __future__ import annotations

from typing import Any

import msgspec

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.dealer.sealed import CalledHand
from tables.engine.events import HandEnded
from tables.engine.visibility import view
from tables.fairness.course import PublicEvent
from tables.fairness.openings import open_envelopes, open_positions
from tables.fairness.positions import dealt_positions
from tables.fairness.proof import FinishedHand, HandName, HandTimes, proof_of
from tables.history import replays
from tables.wire.table_events import ButtonDrawn


def hand_proof(kept: HandRecord, *, origin: str, user: int | None) -> dict[str, Any] | None:
    """Return the proof for a user (None: the public); None for a hand without a seal.

    The user sees his own cards opened, those all were shown, and hands he may look up (S-03).
    Call it for released hands only.
    """
    called = kept.called
    if called is None:
        return None
    course = _course(kept, called)
    own = next((seat.seat for seat in kept.seats if seat.dealt and seat.user == user), None)
    seen = replays.replay(kept, number=0, seats_max=0, user=user)
    looked_up = [seat for seat, _ in seen.looked_up]
    rights = open_positions(dealt_positions(course), viewer=own, looked_up=looked_up)
    sealed, deck, cut = called.sealed, called.sealed.cards(), called.cut()
    hand = FinishedHand(
        name=HandName(origin, kept.table, sealed.epoch, kept.hand),
        variant=kept.setup.rules.variant,
        times=HandTimes(sealed.sealed_ms, called.called_ms, kept.began_ms, kept.ended_ms),
        deck=deck,
        call=called.call,
        call_signature=called.signature,
        cut_key=called.cut_key(),
        cut=cut,
        roster=called.roster(),
        course=course,
    )
    openings = open_envelopes(deck, cut, rights)
    return proof_of(hand, openings, viewer=own, looked_up=looked_up)


def _course(kept: HandRecord, called: CalledHand) -> tuple[PublicEvent, ...]:
    """Return the public events from the draw for the button to the end of the hand."""
    events: list[PublicEvent] = []
    if called.draws_button:
        shown = () if called.by_lot else tuple(called.button_cards().items())
        drawn = ButtonDrawn(cards=shown, button=kept.setup.positions.button)
        events.append(msgspec.json.decode(msgspec.json.encode(drawn)))
    for event in record.replay(kept.setup, kept.actions):
        events.append(msgspec.json.decode(msgspec.json.encode(view(event, None))))
        if isinstance(event, HandEnded):
            break
    return tuple(events)
