"""Proof of a finished hand for one viewer, from its settled record."""

from __future__ import annotations

from typing import Any

import msgspec

from tables.dealer.record import HandRecord
from tables.dealer.sealed import CalledHand
from tables.dealer.seen_record import SeenRecord
from tables.engine.events import Event, HandEnded
from tables.engine.evolve import evolve_all
from tables.engine.visibility import view
from tables.fairness.course import PublicEvent, course_of
from tables.fairness.cutting import cut_key_of, cut_of
from tables.fairness.escrow import escrow_hash
from tables.fairness.openings import open_envelopes, open_positions
from tables.fairness.positions import dealt_positions
from tables.fairness.proof import FinishedHand, HandName, HandTimes, LogProof, proof_of
from tables.fairness.public_part import public_hash, public_part
from tables.history import replays
from tables.records.parts import sealed_cards
from tables.wire.table_events import ButtonDrawn


def hand_proof(
    kept: HandRecord, *, origin: str, user: int | None, log: LogProof | None = None
) -> dict[str, Any] | None:
    """Return the proof for a user (None: the public); None for a hand without a seal.

    The user sees his own cards opened, those all were shown, and hands he may look up (S-03), also
    those that were shown after the end. Folded cards shown then stay closed: no check knows them.
    A user whose own cards are not readable here sees what all see. `log` proves its leaves. Call it
    for released hands only.
    """
    if isinstance(kept, SeenRecord) and kept.unread:
        user = None
    hand = _finished(kept, origin)
    if hand is None:
        return None
    own = next((seat.seat for seat in kept.seats if seat.dealt and seat.user == user), None)
    last = evolve_all(None, kept.events())
    looked_up = [seat for seat, _ in replays.mucked_hands(last, own)]
    rights = open_positions(dealt_positions(hand.course), viewer=own, looked_up=looked_up)
    openings = open_envelopes(hand.deck, hand.cut, rights)
    return proof_of(hand, openings, viewer=own, looked_up=looked_up, log=log)


def logged_parts(kept: HandRecord, *, origin: str) -> tuple[bytes | None, bytes | None]:
    """Return the hashes of a hand's public part and course, as the log holds them.

    None for a hand without a seal.
    """
    hand, called = _finished(kept, origin), kept.called
    if hand is None or called is None:
        return None, None
    name, seal = called.sealed.hand_id, called.sealed.seal
    openings = open_envelopes(hand.deck, hand.cut, open_positions(dealt_positions(hand.course)))
    part = public_part(
        name,
        seal,
        called_ms=hand.times.called_ms,
        dealt_ms=hand.times.dealt_ms,
        roster=hand.roster,
        openings=openings,
    )
    return public_hash(part), course_of(name, seal, hand.course)


def _finished(kept: HandRecord, origin: str) -> FinishedHand | None:
    called = kept.called
    if called is None:
        return None
    sealed, roster = called.sealed, called.roster()
    cut_key = cut_key_of(called.call, roster)
    return FinishedHand(
        name=HandName(origin, kept.table, sealed.epoch, kept.hand),
        variant=kept.setup.rules.variant,
        times=HandTimes(sealed.sealed_ms, called.called_ms, kept.began_ms, kept.ended_ms),
        deck=sealed_cards(kept),
        call=called.call,
        call_signature=called.signature,
        cut_key=cut_key,
        cut=cut_of(cut_key, sealed.hand_id),
        roster=roster,
        course=_course(kept, called),
        escrow_hash=escrow_hash(sealed.escrow),
    )


def _course(kept: HandRecord, called: CalledHand) -> tuple[PublicEvent, ...]:
    """Return the public events from the draw for the button to the end of the hand."""
    events: list[PublicEvent] = []
    if called.draws_button:
        shown = () if called.by_lot else tuple(called.button_cards().items())
        drawn = ButtonDrawn(cards=shown, button=kept.setup.positions.button)
        events.append(_public(drawn))
    for event in kept.events():
        events.append(_public(view(event, None)))
        if isinstance(event, HandEnded):
            break
    return tuple(events)


def _public(event: Event) -> PublicEvent:
    """Return an event as its JSON says it, lists being tuples."""
    fields: PublicEvent = msgspec.to_builtins(event, str_keys=True)
    return fields
