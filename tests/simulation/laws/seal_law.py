"""Law of sealed decks: every hand is dealt from the deck that was sealed for it, and cut."""

from __future__ import annotations

from collections.abc import Iterator

from tables.dealer.cuts import bound_to
from tables.dealer.record import HandRecord
from tables.dealer.sealed import SeatCut
from tables.engine.cards import DECK
from tables.fairness.cutting import (
    CutState,
    RosterRow,
    call_of,
    cut_key_of,
    cut_of,
    pledge_of,
)
from tables.fairness.leaves import Fate
from tables.fairness.sealing import seal_deck
from tables.models import Hand, SealedDeck
from tables.records import stored
from tables.workers import sealing
from tests.simulation.laws.new_hands import NewHands
from tests.simulation.laws.set_backs import readings
from tests.simulation.people.cuts import Cuts


class SealLaw:
    """Memory of the hands that were judged, and of the deck that each known seed cut."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        self._hands = NewHands()
        self._opened: dict[bytes, bytes] = {}
        self._called: dict[tuple[int, bytes], tuple[bytes, int]] = {}

    def look(self) -> Iterator[str]:
        """Return the violations of the hands settled since the last look."""
        for hand in self._hands.of(Hand.objects.all()):
            kept = stored.decode(bytes(hand.record))
            yield from _judge(kept)
            yield from self._judge_cuts(kept)

    def _judge_cuts(self, kept: HandRecord) -> Iterator[str]:
        """Every seed that cut was sent for this hand, for no other one, and none was left out."""
        if kept.called is None:
            return
        seal = kept.called.sealed.seal
        users = {seat.seat: (seat.user, bound_to(seat)) for seat in kept.seats}
        # A clock that was set back shows the time of the deal twice, and nobody knows which it was.
        began = readings(kept.began_ms, self._cuts.world.outages)
        called_ms = readings(kept.called.called_ms, self._cuts.world.outages)[0]
        for cut in kept.called.cuts:
            user, entry = users[cut.seat]
            what = f"table {kept.table} hand {kept.hand} seat {cut.seat}"
            # A pledge leaves the seat with the deal; only its browser may pledge that seed again. A
            # player who copied it has pledged it on its own.
            last, dealt_ms = self._called.get((entry, cut.pledge), (seal, began[0]))
            if last != seal and self._cuts.pledged.get(cut.pledge.hex(), 0) < dealt_ms:
                yield f"{what}: a pledge was called twice"
            self._called[entry, cut.pledge] = seal, began[0]
            # A cut that comes again hands later must not bring a pledge back that is open by then.
            if self._cuts.open.get((entry, cut.pledge), called_ms) < called_ms:
                yield f"{what}: a pledge was called whose seed was open"
            sent = self._cuts.accepted.get((user, kept.table, kept.epoch, kept.hand), {})
            if not cut.seed or cut.late:
                if any(
                    pledge_of(sealing.room(), entry, bytes.fromhex(seed)) == cut.pledge
                    and accepted_ms < began[0]
                    for seed, (_, accepted_ms) in sent.items()
                ):
                    yield f"{what}: a cut that came in time was left out"
                continue
            # A decided hand whose end PostgreSQL lost is settled once more, from the same deck.
            if self._opened.setdefault(cut.seed, seal) != seal:
                yield f"{what}: a seed cut twice"
            if pledge_of(sealing.room(), entry, cut.seed) != cut.pledge:
                yield f"{what}: a seed cut that opens another pledge"
            # A decided hand goes on in a later epoch than that of its cuts.
            cuts = (
                self._cuts.accepted.get((user, kept.table, epoch, kept.hand), {})
                for epoch in range(1, kept.epoch + 1)
            )
            known = [one.get(cut.seed.hex(), (began[-1] + 1, 0))[0] for one in cuts if one]
            if known and min(known) > began[-1]:
                yield f"{what}: a seed cut that nobody sent before the deal"


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
    dealt = {(seat.seat, bound_to(seat)) for seat in kept.seats if seat.dealt}
    if not dealt <= set(kept.called.seats):
        yield f"{what} was dealt to seats that were not called"
    # 3. The called roster, which all know, cuts the deck.
    cuts = {cut.seat: cut for cut in kept.called.cuts}
    roster = [_row(seat, entry, cuts.get(seat)) for seat, entry in kept.called.seats]
    key = cut_key_of(call_of(sealed.hand_id, envelopes.seal, roster), roster)
    deck = tuple(DECK[envelopes.order[place]] for place in cut_of(key, sealed.hand_id))
    if deck != kept.setup.deck:
        yield f"{what} was dealt from another deck than the sealed one"


def _row(seat: int, entry: int, cut: SeatCut | None) -> RosterRow:
    if cut is None:
        return RosterRow(seat, entry)
    if cut.seed and not cut.late:
        return RosterRow(seat, entry, cut.pledge, CutState.OPENED, cut.seed)
    return RosterRow(seat, entry, cut.pledge, CutState.SILENT)
