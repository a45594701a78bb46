"""Rounds and actions of a hand in the words of Open Hand History."""

from __future__ import annotations

from typing import Any

from tables.engine.events import (
    HIDDEN,
    BetMade,
    Called,
    Card,
    CardsShown,
    Checked,
    Folded,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    Raised,
    StreetDealt,
)
from tables.history.decisions import decisions
from tables.history.exports.hand import ExportedHand

STREETS = {
    "preflop": "Preflop",
    "flop": "Flop",
    "turn": "Turn",
    "river": "River",
    "third": "Preflop",
    "fourth": "Fourth Street",
    "fifth": "Fifth Street",
    "sixth": "Sixth Street",
    "seventh": "Seventh Street",
}
"""Streets by their names here; the first one of every hand is called Preflop."""

POSTS = {
    "ante": "Post Ante",
    "small_blind": "Post SB",
    "big_blind": "Post BB",
    "straddle": "Straddle",
    "dead": "Post Dead",
    "penalty": "Post Dead",
    "bring_in": "Post Extra Blind",
}


def rounds(hand: ExportedHand) -> list[dict[str, Any]]:
    """Return the rounds in order, the cards that were shown as the last one."""
    course = _Course(hand)
    made = {found.event: found for found in decisions(hand.kept)}
    for at, event in enumerate(hand.events):
        action = course.happen(event)
        if action is not None and at in made:
            action["_at_ms"] = made[at].at_ms
            if made[at].made_by != "player":
                action["_by_room"] = made[at].made_by
    return course.told()


class _Course:
    """Rounds of a hand while its events are told."""

    def __init__(self, hand: ExportedHand) -> None:
        self._hand = hand
        self._rounds: list[dict[str, Any]] = [{"id": 0, "street": "Preflop", "actions": []}]
        self._showdown: list[dict[str, Any]] = []
        self._shown: set[tuple[int, tuple[Card, ...]]] = set()

    def told(self) -> list[dict[str, Any]]:
        """Return the rounds of the hand."""
        if not self._showdown:
            return self._rounds
        last = {"id": len(self._rounds), "street": "Showdown", "actions": self._showdown}
        return [*self._rounds, last]

    def happen(self, event: HandEvent) -> dict[str, Any] | None:
        """Add an event; return its action where it is one."""
        match event:
            case StreetDealt(street=street, cards=cards):
                dealt = {"cards": list(cards)} if cards else {}
                begun = {"id": len(self._rounds), "street": STREETS[street]}
                self._rounds.append(begun | dealt | {"actions": []})
            case HoleCardsDealt(seat=seat, cards=cards):
                known = _known(cards)
                return self._act(seat, "Dealt Cards", cards=known) if known else None
            case HandsRevealed(hands=hands):
                for seat, cards in hands:
                    self._show(seat, cards)
            case CardsShown(seat=seat, cards=cards):
                self._show(seat, cards)
            case Mucked(seat=seat):
                _add(self._showdown, seat, "Mucks Cards")
            case _:
                return self._bet(event)
        return None

    def _bet(self, event: HandEvent) -> dict[str, Any] | None:
        """Add a post or a decision; amounts are the chips it put in."""
        match event:
            case Posted(seat=seat, kind=kind, amount=amount, all_in=all_in):
                return self._act(seat, self._post(seat, kind), amount, all_in)
            case Folded(seat=seat):
                return self._act(seat, "Fold")
            case Checked(seat=seat):
                return self._act(seat, "Check")
            case Called(seat=seat, amount=amount, all_in=all_in):
                return self._act(seat, "Call", amount, all_in)
            case BetMade(seat=seat, amount=amount, all_in=all_in):
                # The specification knows no bet before the second round.
                name = "Bet" if len(self._rounds) > 1 else "Raise"
                return self._act(seat, name, amount, all_in)
            case Raised(seat=seat, amount=amount, all_in=all_in):
                return self._act(seat, "Raise", amount, all_in)
        return None

    def _post(self, seat: int, kind: str) -> str:
        """Return the name of a forced bet; a blind of another seat's position is an extra one."""
        positions = self._hand.kept.setup.positions
        blinds = {"small_blind": positions.small_blind, "big_blind": positions.big_blind}
        return POSTS[kind] if blinds.get(kind, seat) == seat else "Post Extra Blind"

    def _act(
        self,
        seat: int,
        name: str,
        amount: int = 0,
        all_in: bool = False,
        cards: list[Card] | None = None,
    ) -> dict[str, Any]:
        chips = self._hand.amount(amount)
        return _add(self._rounds[-1]["actions"], seat, name, chips, all_in, cards)

    def _show(self, seat: int, cards: tuple[Card, ...]) -> None:
        if (seat, cards) not in self._shown:
            self._shown.add((seat, cards))
            _add(self._showdown, seat, "Shows Cards", cards=_known(cards))


def _add(
    actions: list[dict[str, Any]],
    seat: int,
    name: str,
    amount: float = 0,
    all_in: bool = False,
    cards: list[Card] | None = None,
) -> dict[str, Any]:
    action: dict[str, Any] = {
        "action_number": len(actions) + 1,
        "player_id": seat,
        "action": name,
        "amount": amount,
        "is_allin": all_in,
    }
    if cards is not None:
        action["cards"] = cards
    actions.append(action)
    return action


def _known(cards: tuple[Card, ...]) -> list[Card]:
    return [card for card in cards if card != HIDDEN]
