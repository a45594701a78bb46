"""Judgement of one finished hand: each link from its secret to its record (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from tables.dealer.cuts import bound_to
from tables.dealer.record import HandRecord
from tables.dealer.sealed import CalledHand, SealedHand
from tables.dealer.seen_record import SeenRecord
from tables.engine.cards import DECK
from tables.engine.events import HIDDEN, HoleCardsDealt
from tables.engine.evolve import evolve_all
from tables.engine.positions import draw_button
from tables.engine.result import result
from tables.fairaudit.findings import FairDifference
from tables.fairaudit.secrets import deck_secret, opens_escrow, whole_again
from tables.fairness import cutting
from tables.fairness.encoding import hand_id, room_id
from tables.fairness.escrow import escrow_hash
from tables.fairness.leaves import Fate, FateReason, fate_leaf, seal_leaf
from tables.fairness.sealing import SealedCards, envelope_of, seal_deck, seal_of
from tables.fairness.signing import is_signed
from tables.history.hand_proofs import logged_parts
from tables.records import stored
from tables.records.month_keys import BurntMonth
from tables.records.parts import sealed_cards

Difference = tuple[FairDifference, str]
"""Kind of a difference, and what was found."""


class KeptDeck(NamedTuple):
    """Row of a sealed deck; times are UTC in ms."""

    seal: bytes
    sealed_ms: int
    fate: int | None
    reason: int
    ended_ms: int
    escrow: bytes = b""


class KeptHand(NamedTuple):
    """Rows of a finished hand: its record, its deck, and the leaves of that deck in the log."""

    table: int
    number: int
    epoch: int
    digest: str
    record: bytes
    deck: KeptDeck | None
    seal_leaf: bytes | None
    fate_leaf: bytes | None


class RoomNames(NamedTuple):
    """Names that an audit takes from outside: origin of a room's log, call keys, auditor's key.

    `auditor` is the private key that opens escrows, b"" for an audit without it.
    """

    origin: str
    call_keys: Collection[bytes]
    auditor: bytes = b""


def decoded(hand: KeptHand, auditor: bytes = b"") -> HandRecord | None:
    """Return the record of a hand, what is open of it once its key was deleted; None if unreadable.

    The `auditor` makes it whole again from the escrow of its deck. Raises NoMonthKey without the
    record key of its month.
    """
    try:
        return stored.decode(hand.record)
    except BurntMonth:
        seen = stored.decode_open(hand.record)
        whole = whole_again(seen, hand.deck.escrow, auditor) if hand.deck and auditor else None
        return whole or seen
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def judge_hand(hand: KeptHand, kept: HandRecord, names: RoomNames) -> Iterator[Difference]:
    """Yield every difference in the chain of a hand from its secret to its record."""
    if (kept.table, kept.hand, kept.epoch) != (hand.table, hand.number, hand.epoch):
        yield FairDifference.RECORD, f"the record is of table {kept.table} hand {kept.hand}"
    is_whole = not isinstance(kept, SeenRecord)
    if is_whole and kept.digest() != hand.digest:
        yield FairDifference.RECORD, "the digest is another one"
    if kept.called is not None:
        yield from _judge_deck(hand, kept, kept.called, names)
    elif hand.deck is not None:
        yield FairDifference.SECRET, "the record has no deck"
    if is_whole:
        yield from _judge_course(kept)


def _judge_deck(
    hand: KeptHand, kept: HandRecord, called: CalledHand, names: RoomNames
) -> Iterator[Difference]:
    sealed, room = called.sealed, room_id(names.origin)
    name = hand_id(room, table=hand.table, epoch=sealed.epoch, hand=hand.number)
    # 1. The secret makes the seal that was kept before the hand.
    deck = _deck_of(kept, name)
    yield from _judge_seal(hand, kept, sealed, deck)
    if not sealed.sealed_ms <= called.called_ms <= kept.began_ms <= kept.ended_ms:
        yield FairDifference.TIMES, ""
    escrow = hand.deck.escrow if hand.deck else b""
    if sealed.escrow != escrow or not opens_escrow(escrow, deck.seal, name, names.auditor):
        yield FairDifference.ESCROW, ""
    # 2. The call fixed seal, seats and pledges; seeds open their pledges.
    roster = called.roster()
    call = cutting.call_of(name, deck.seal, roster)
    message = cutting.called_message(call)
    if call != called.call:
        yield FairDifference.CALL, ""
    elif not any(is_signed(key, message, called.signature) for key in names.call_keys):
        yield FairDifference.CALL, "no call key of the room signed it"
    seated = {(row.seat, row.entry) for row in roster}
    if not {(seat.seat, bound_to(seat)) for seat in kept.seats if seat.dealt} <= seated:
        yield FairDifference.CALL, "a seat was dealt in that was not called"
    for row in roster:
        if row.seed and cutting.pledge_of(room, row.entry, row.seed) != row.pledge:
            yield FairDifference.SEED, f"seat {row.seat}"
    # 3. Order and cut make the deck and the first button.
    key = cutting.cut_key_of(call, roster)
    numbers = cutting.cut_deck(deck.order, cutting.cut_of(key, name))
    cards = tuple(DECK[number] if number >= 0 else HIDDEN for number in numbers)
    if cards != kept.setup.deck:
        yield FairDifference.DECK, ""
    if called.draws_button:
        drawn = cutting.button_draw(key, name, [seat for seat, _ in called.seats])
        seat = draw_button({seat: DECK[number] for seat, number in drawn.items()})
        if seat != kept.setup.positions.button:
            yield FairDifference.BUTTON, f"seat {seat} drew it"
    yield from _judge_leaves(hand, kept, called, name, names.origin)


def _deck_of(kept: HandRecord, name: bytes) -> SealedCards:
    """Return the deck that the secret makes; without it the envelopes, as far as they are open."""
    if not isinstance(kept, SeenRecord):
        return seal_deck(deck_secret(kept), name)
    deck = _envelopes(kept)
    return deck._replace(seal=seal_of(name, deck.envelopes))


def _judge_seal(
    hand: KeptHand, kept: HandRecord, sealed: SealedHand, deck: SealedCards
) -> Iterator[Difference]:
    if hand.deck is None or deck.seal != hand.deck.seal or deck.seal != sealed.seal:
        yield FairDifference.SECRET, "" if hand.deck else "no seal was kept"
    elif (hand.deck.sealed_ms, hand.deck.ended_ms) != (sealed.sealed_ms, kept.ended_ms):
        yield FairDifference.TIMES, "the rows have other times"


def _envelopes(kept: SeenRecord) -> SealedCards:
    """Return the deck as far as its envelopes are open; one that does not fit its card is shut."""
    deck = sealed_cards(kept)
    order = tuple(
        card if card < 0 or envelope_of(place, card, salt) == envelope else -1
        for place, (card, salt, envelope) in enumerate(
            zip(deck.order, deck.salts, deck.envelopes, strict=True)
        )
    )
    return deck._replace(order=order)


def _judge_leaves(
    hand: KeptHand, kept: HandRecord, called: CalledHand, name: bytes, origin: str
) -> Iterator[Difference]:
    """Yield leaves that are not those of the record; a leaf without its place comes later."""
    sealed = called.sealed
    seal = seal_leaf(
        name, sealed.seal, sealed_ms=sealed.sealed_ms, escrow_hash=escrow_hash(sealed.escrow)
    )
    if hand.seal_leaf is not None and hand.seal_leaf != seal:
        yield FairDifference.SEAL_LEAF, ""
    if hand.fate_leaf is None:
        return
    try:
        public, course = logged_parts(kept, origin=origin)
    except Exception as error:  # a record that is wrong elsewhere, which is told there
        yield FairDifference.FATE_LEAF, str(error)
        return
    fate = fate_leaf(
        name,
        sealed.seal,
        fate=Fate.PLAYED,
        reason=FateReason.NONE,
        ended_ms=kept.ended_ms,
        public=public,
        course=course,
    )
    if hand.fate_leaf != fate:
        yield FairDifference.FATE_LEAF, ""


def _judge_course(kept: HandRecord) -> Iterator[Difference]:
    """Yield differences between the actions of a hand, its result and its stacks."""
    try:
        events = kept.events()
        outcome = result(evolve_all(None, events))
    except Exception as error:  # any action that the rules refuse
        yield FairDifference.RESULT, str(error)
        return
    # Cards may be shown after the last action, so they are compared with the dealt ones.
    if msgspec.structs.replace(outcome, shown=()) != msgspec.structs.replace(kept.result, shown=()):
        yield FairDifference.RESULT, ""
    dealt: dict[int, tuple[str, ...]] = {}
    for event in events:
        if isinstance(event, HoleCardsDealt):
            dealt[event.seat] = (*dealt.get(event.seat, ()), *event.cards)
    for seat, cards in kept.result.shown:
        own = dealt.get(seat, ())
        if len(own) != len(cards) or any(
            card not in (HIDDEN, held) for card, held in zip(cards, own, strict=True)
        ):
            yield FairDifference.CARD, f"seat {seat}"
    before = {stack.seat: stack.chips for stack in outcome.stacks_before}
    after = {stack.seat: stack.chips for stack in outcome.stacks_after}
    for row in kept.seats:
        known = before.get(row.seat, row.chips_before), after.get(row.seat, row.chips_before)
        if (row.chips_before, row.chips) != known or row.dealt != (row.seat in before):
            yield FairDifference.STACK, f"seat {row.seat}"
