"""Sealed hands: the deck a room fixed before a hand, its call, and the deck that is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.fairness import cutting, encoding
from tables.fairness.cutting import CutState, RosterRow
from tables.fairness.escrow import escrow_of
from tables.fairness.sealing import SealedCards, order_of, seal_deck

ROOM_SIZE = 16
"""Bytes of the room's id, with which the id of a hand begins."""


class SealedHand(msgspec.Struct, frozen=True, array_like=True):
    """A hand whose deck lies in sealed envelopes: its secret and its seal; time is UTC in ms.

    The secret makes the whole deck: it stays with the workers until the hand is settled. `escrow`
    is the secret for the auditor alone, b"" in a room without one.
    """

    epoch: int
    hand: int
    hand_id: bytes
    secret: bytes
    seal: bytes
    sealed_ms: int
    escrow: bytes = b""

    def cards(self) -> SealedCards:
        """Return the order, salts and envelopes that the secret makes."""
        return seal_deck(self.secret, self.hand_id)


class SeatCut(msgspec.Struct, frozen=True, array_like=True):
    """Pledge that was called for a seat, and its seed once it was opened: `late` after the deal.

    The deal waits a moment for the seed of an `awaited` seat.
    """

    seat: int
    pledge: bytes
    awaited: bool
    seed: bytes = b""
    late: bool = False

    @property
    def state(self) -> CutState:
        """Return the state of the seed."""
        if not self.seed:
            return CutState.SILENT
        return CutState.LATE if self.late else CutState.OPENED


class CalledHand(msgspec.Struct, frozen=True, array_like=True):
    """A sealed hand with the roster that was called: pairs of seat and entry; time is UTC in ms.

    `draws_button` once the first button was drawn from the same cut, unshown when `by_lot`. `cuts`
    are those of the seats with a pledge. The hand is dealt at `deal_ms`, at most until `until_ms`
    later while a seed is awaited.
    """

    sealed: SealedHand
    seats: tuple[tuple[int, int], ...]
    call: bytes
    signature: bytes
    called_ms: int
    draws_button: bool = False
    by_lot: bool = False
    cuts: tuple[SeatCut, ...] = ()
    deal_ms: int = 0
    until_ms: int = 0

    def roster(self) -> tuple[RosterRow, ...]:
        """Return the seats as the call names them, with the seeds opened so far."""
        cuts = {cut.seat: cut for cut in self.cuts}
        return tuple(_row(seat, entry, cuts.get(seat)) for seat, entry in self.seats)

    def opened(self, seeds: Iterable[tuple[int, bytes]], *, late: bool) -> CalledHand:
        """Return the hand with the seeds of seats, each of which may open nothing.

        A second seed of a seat, one that is not that of its pledge, and one that is in the hand
        already open nothing: a proof with a value twice fails for the whole table (V04).
        """
        room, entries = self.sealed.hand_id[:ROOM_SIZE], dict(self.seats)
        cuts = {cut.seat: cut for cut in self.cuts}
        known = {value for cut in self.cuts for value in (cut.pledge, cut.seed)}
        for seat, seed in seeds:
            cut, entry = cuts.get(seat), entries.get(seat)
            if cut is None or cut.seed or entry is None or seed in known:
                continue
            if cutting.pledge_of(room, entry, seed) == cut.pledge:
                cuts[seat] = replace(cut, seed=seed, late=late)
                known.add(seed)
        return replace(self, cuts=tuple(cuts.values()))

    def awaited_seats(self) -> frozenset[int]:
        """Return the seats whose seeds the deal waits for."""
        return frozenset(cut.seat for cut in self.cuts if cut.awaited and not cut.seed)

    def cut_key(self) -> bytes:
        """Return the key of the cut."""
        return cutting.cut_key_of(self.call, self.roster())

    def cut(self) -> tuple[int, ...]:
        """Return the place of the envelope at each position of the deck."""
        return cutting.cut_of(self.cut_key(), self.sealed.hand_id)

    def deck(self) -> tuple[Card, ...]:
        """Return the cards in the order of dealing."""
        order = order_of(self.sealed.secret, self.sealed.hand_id)
        numbers = cutting.cut_deck(order, self.cut())
        return tuple(DECK[number] for number in numbers)

    def button_cards(self) -> dict[int, Card]:
        """Return the card that each seat draws for the first button."""
        seats = [seat for seat, _ in self.seats]
        drawn = cutting.button_draw(self.cut_key(), self.sealed.hand_id, seats)
        return {seat: DECK[number] for seat, number in drawn.items()}


encode_call = msgspec.msgpack.Encoder().encode
"""Encode a called hand as bytes for PostgreSQL."""

decode_call = msgspec.msgpack.Decoder(CalledHand).decode
"""Decode a called hand from bytes of PostgreSQL."""

Sign = Callable[[bytes], bytes]
"""Return the room's signature of a message."""


def seal_hand(
    room: bytes,
    secret: bytes,
    *,
    table: int,
    epoch: int,
    hand: int,
    now_ms: int,
    auditor: bytes = b"",
) -> SealedHand:
    """Return the hand sealed with this secret; `room` is the id of the room.

    The secret is escrowed to the public key of an `auditor`, if there is one.
    """
    name = encoding.hand_id(room, table=table, epoch=epoch, hand=hand)
    seal = seal_deck(secret, name).seal
    escrow = escrow_of(secret, seal, auditor) if auditor else b""
    return SealedHand(epoch, hand, name, secret, seal, now_ms, escrow)


def call_hand(
    sealed: SealedHand,
    seats: Sequence[tuple[int, int]],
    *,
    sign: Sign,
    now_ms: int,
    cuts: Sequence[SeatCut] = (),
) -> CalledHand:
    """Return the hand called to these seats and entries, with the room's signature.

    `cuts` are the pledges of the seats that have one, still unopened. It is never called before it
    was sealed, also where the clock was set back between the two (V06).
    """
    pledged = {cut.seat: cut for cut in cuts}
    rows = tuple(sorted(seats))
    called = [_row(seat, entry, pledged.get(seat)) for seat, entry in rows]
    call = cutting.call_of(sealed.hand_id, sealed.seal, called)
    signature = sign(cutting.called_message(call))
    called_ms = max(now_ms, sealed.sealed_ms)
    return CalledHand(sealed, rows, call, signature, called_ms, cuts=tuple(cuts))


def _row(seat: int, entry: int, cut: SeatCut | None) -> RosterRow:
    if cut is None:
        return RosterRow(seat, entry)
    return RosterRow(seat, entry, cut.pledge, cut.state, cut.seed or None)
