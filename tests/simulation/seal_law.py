"""Law of sealed decks: every hand is dealt from the deck that was sealed for it, and cut."""

from __future__ import annotations

from collections.abc import Iterator

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.engine.cards import DECK
from tables.fairness.cutting import RosterRow, call_of, cut_key_of, cut_of
from tables.fairness.leaves import Fate
from tables.fairness.sealing import seal_deck
from tables.models import Hand, SealedDeck


class SealLaw:
    """Memory of the hands that were judged."""

    def __init__(self) -> None:
        self._seen = 0

    def look(self) -> Iterator[str]:
        """Return the violations of the hands settled since the last look."""
        for hand in Hand.objects.filter(pk__gt=self._seen).order_by("pk"):
            self._seen = hand.pk
            yield from _judge(record.decode(bytes(hand.record)))


def _judge(kept: HandRecord) -> Iterator[str]:
    what = f"table {kept.table} hand {kept.hand}"
    if kept.called is None:
        yield f"{what} was dealt from a deck without a seal"
        return
    # 1. The secret makes the seal that PostgreSQL had, and the seal was played once.
    sealed = kept.called.sealed
    envelopes = seal_deck(sealed.secret, sealed.hand_id)
    rows = SealedDeck.objects.filter(table=kept.table, seal=envelopes.seal)
    if list(rows.values_list("hand", "fate")) != [(kept.hand, Fate.PLAYED)]:
        yield f"{what} was played with a seal of fate {list(rows.values_list('hand', 'fate'))}"
    # 2. Who was dealt in was called; a newcomer that waits is called and not dealt in.
    dealt = {(seat.seat, seat.entry) for seat in kept.seats if seat.dealt}
    if not dealt <= set(kept.called.seats):
        yield f"{what} was dealt to seats that were not called"
    # 3. The called roster, which all know, cuts the deck.
    roster = [RosterRow(seat, entry) for seat, entry in kept.called.seats]
    key = cut_key_of(call_of(sealed.hand_id, envelopes.seal, roster), roster)
    deck = tuple(DECK[envelopes.order[place]] for place in cut_of(key, sealed.hand_id))
    if deck != kept.setup.deck:
        yield f"{what} was dealt from another deck than the sealed one"
