"""Course of a hand in the words of PokerStars, and what its summary needs of it."""

from __future__ import annotations

from collections import defaultdict

from tables.engine.events import (
    HIDDEN,
    BetMade,
    Called,
    Card,
    CardsShown,
    Checked,
    Folded,
    HandEvent,
    HoleCardsDealt,
    Mucked,
    Posted,
    PotAwarded,
    Raised,
    Street,
    StreetDealt,
    UncalledReturned,
)
from tables.engine.variants import VARIANTS
from tables.history.decisions import decisions
from tables.history.exports.hand import ExportedHand
from tables.history.exports.pokerstars_words import STREETS, made_hand

POSTS = {
    "ante": "the ante",
    "small_blind": "small blind",
    "big_blind": "big blind",
    "straddle": "straddle",
    "dead": "small blind",
    "penalty": "penalty",
}
BY_ROOM = {
    "time_out": "has timed out",
    "disconnected": "has timed out while disconnected",
    "absent": "is sitting out",
}
"""Lines before a decision that the room made for a player."""


class ActionLines:
    """Lines of a hand from its first post to its last pot.

    By seat, `folded` names the street of a fold and `shown` the hand of a showdown.
    """

    def __init__(self, hand: ExportedHand) -> None:
        self.hand = hand
        self.written: list[str] = []
        self.street: Street = VARIANTS[hand.kept.setup.rules.variant].streets[0].street
        self.folded: dict[int, Street] = {}
        self.shown: dict[int, str] = {}
        self._board: tuple[Card, ...] = ()
        self._cards: dict[int, tuple[Card, ...]] = defaultdict(tuple)
        self._level = 0
        self._posted: Posted | None = None
        self._dealt = False
        self._showdown = False
        self._pots = max((award.pot for award in hand.kept.result.awards), default=0)

    def run(self) -> None:
        """Write every event of the hand."""
        by_room = {
            decision.event: decision
            for decision in decisions(self.hand.kept)
            if decision.made_by != "player"
        }
        for at, event in enumerate(self.hand.events):
            if at in by_room:
                decision = by_room[at]
                self.written.append(f"{self._name(decision.seat)} {BY_ROOM[decision.made_by]}")
            self._happen(event)

    def _happen(self, event: HandEvent) -> None:
        match event:
            case Posted():
                self._post(event)
            case HoleCardsDealt():
                self._deal(event)
            case StreetDealt():
                self._begin_street(event)
            case UncalledReturned(seat=seat, amount=amount):
                self.written.append(f"Uncalled bet ({amount}) returned to {self._name(seat)}")
            case CardsShown():
                self._show(event)
            case Mucked(seat=seat):
                self._begin_showdown()
                self._say(seat, "mucks hand")
            case PotAwarded():
                self._award(event)
            case _:
                self._act(event)

    def _act(self, event: HandEvent) -> None:
        """Write a decision; a raise names the chips above the bet before it, then the total."""
        match event:
            case Folded(seat=seat):
                self.folded[seat] = self.street
                self._say(seat, "folds")
            case Checked(seat=seat):
                self._say(seat, "checks")
            case Called(seat=seat, amount=amount, all_in=all_in):
                self._say(seat, f"calls {amount}", all_in=all_in)
            case BetMade(seat=seat, amount=amount, all_in=all_in):
                self._level = amount
                self._say(seat, f"bets {amount}", all_in=all_in)
            case Raised(seat=seat, to=to, all_in=all_in):
                words = f"raises {to - self._level} to {to}" if self._level else f"bets {to}"
                self._say(seat, words, all_in=all_in)
                self._level = to

    def _post(self, event: Posted) -> None:
        before, self._posted = self._posted, event
        if event.kind == "bring_in":
            self._say(event.seat, f"brings in for {event.amount}", all_in=event.all_in)
        elif before is not None and _are_one_debt(before, event):
            # One line has both: without it programs know no dead chips, and miss them in the pot.
            self.written.pop()
            words = f"posts small & big blinds {before.amount + event.amount}"
            self._say(event.seat, words, all_in=event.all_in)
        else:
            words = f"posts {POSTS[event.kind]} {event.amount}"
            self._say(event.seat, words, all_in=event.all_in)
        stakes = self.hand.kept.setup.rules.stakes
        if event.kind == "bring_in":
            # One that is paid short still has to be called in full (D-02).
            self._level = max(self._level, stakes.bring_in)
        elif event.kind not in ("ante", "dead", "penalty"):
            self._level = max(self._level, event.amount)

    def _deal(self, event: HoleCardsDealt) -> None:
        """Write the cards of a deal that the reader saw: all own ones, open ones of others."""
        if not self._dealt:
            self._dealt = True
            # A big blind is called in full, also where its seat paid less or nothing of it (H-06).
            rules = self.hand.kept.setup.rules
            blind = 0 if VARIANTS[rules.variant].brings_in else rules.stakes.big_blind
            self._level = max(self._level, blind)
            self.written.append(f"*** {STREETS[self.street]} ***")
        before = tuple(card for card in self._cards[event.seat] if card != HIDDEN)
        after = tuple(card for card in event.cards if card != HIDDEN)
        self._cards[event.seat] += event.cards
        if after:
            known = f" [{' '.join(before)}]" if before else ""
            name = self._name(event.seat)
            self.written.append(f"Dealt to {name}{known} [{' '.join(after)}]")

    def _begin_street(self, event: StreetDealt) -> None:
        self.street, self._level = event.street, 0
        before = f" [{' '.join(self._board)}]" if self._board else ""
        cards = f" [{' '.join(event.cards)}]" if event.cards else ""
        self.written.append(f"*** {STREETS[event.street]} ***{before}{cards}")
        self._board += event.cards

    def _show(self, event: CardsShown) -> None:
        words = made_hand(event.made)
        if event.low:
            words = f"HI: {words}; LO: {made_hand(event.low)}"
        if words:
            self._begin_showdown()
            self.shown[event.seat] = words
        cards = " ".join(card for card in event.cards if card != HIDDEN)
        self._say(event.seat, f"shows [{cards}]" + (f" ({words})" if words else ""))

    def _begin_showdown(self) -> None:
        if not self._showdown:
            self._showdown = True
            self.written.append("*** SHOW DOWN ***")

    def _award(self, event: PotAwarded) -> None:
        pot = "main pot" if self._pots else "pot"
        if event.pot:
            pot = "side pot" if self._pots == 1 else f"side pot-{event.pot}"
        for share in event.winners:
            if share.amount:
                self.written.append(f"{self._name(share.seat)} collected {share.amount} from {pot}")

    def _say(self, seat: int, words: str, *, all_in: bool = False) -> None:
        self.written.append(f"{self._name(seat)}: {words}" + (" and is all-in" if all_in else ""))

    def _name(self, seat: int) -> str:
        return self.hand.names[seat]


def _are_one_debt(first: Posted, second: Posted) -> bool:
    both = {first.kind, second.kind} == {"dead", "big_blind"}
    return both and first.seat == second.seat
