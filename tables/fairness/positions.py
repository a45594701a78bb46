"""Positions of the deck that each public event of a hand dealt (section 3, "Positions")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tables.fairness.course import PublicEvent
from tables.fairness.sealing import CARDS


class DealtCards(NamedTuple):
    """Positions of the cards that were dealt, and the cards the public was shown.

    `hole` lists each seat's positions in the order dealt; `shown` holds the card at each position
    that everybody saw; `has_ended` is False for a hand that became void.
    """

    hole: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    burnt: tuple[int, ...]
    shown: dict[int, str]
    folded: frozenset[int]
    has_ended: bool

    @property
    def showdown(self) -> frozenset[int]:
        """Return the seats of the showdown, none where one seat was left or the hand is void."""
        live = frozenset(self.hole) - self.folded
        return live if self.has_ended and len(live) > 1 else frozenset()


def dealt_positions(events: Iterable[PublicEvent], *, cards: int = CARDS) -> DealtCards:
    """Return the positions dealt by public events; raise ValueError for impossible ones.

    Cards go round one at a time (H-01). A street burns one card first, none when the deck has
    exactly as many as the street needs (D-03).
    """
    deal = _Deal(cards)
    group: list[PublicEvent] = []
    for event in events:
        if event["type"] == "hole_cards_dealt":
            group.append(event)
            continue
        deal.deal_group(group)
        group = []
        deal.follow(event)
    deal.deal_group(group)
    return DealtCards(
        {seat: tuple(positions) for seat, positions in deal.hole.items()},
        tuple(deal.board),
        tuple(deal.burnt),
        deal.shown,
        frozenset(deal.folded),
        deal.has_ended,
    )


class _Deal:
    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.at = 0
        self.burns = False
        self.hole: dict[int, list[int]] = {}
        self.board: list[int] = []
        self.burnt: list[int] = []
        self.shown: dict[int, str] = {}
        self.folded: set[int] = set()
        self.has_ended = False

    def follow(self, event: Any) -> None:
        match event["type"]:
            case "street_dealt":
                self.burns = True
                if event["cards"]:
                    places = self._take(len(event["cards"]))
                    self.board += places
                    self._show(places, event["cards"])
            case "hands_revealed":
                for seat, cards in event["hands"]:
                    self._show(self.hole[seat], cards)
            case "cards_shown":
                self._show(self.hole[event["seat"]], event["cards"])
            case "folded":
                self.folded.add(event["seat"])
            case "hand_ended":
                self.has_ended = True

    def deal_group(self, group: Sequence[Any]) -> None:
        """Deal to all seats of a street, one card each in turn."""
        if not group:
            return
        each = len(group[0]["cards"])
        if any(len(event["cards"]) != each for event in group):
            raise ValueError("seats of one street with different numbers of cards")
        places = self._take(each * len(group))
        for turn, event in enumerate(group):
            own = places[turn :: len(group)]
            self.hole.setdefault(event["seat"], []).extend(own)
            down = each - event["up"]
            self._show(own[down:], event["cards"][down:])

    def _take(self, count: int) -> list[int]:
        """Burn if a street began, then take the next positions."""
        if self.burns and self.cards - self.at > count:
            self.burnt.append(self.at)
            self.at += 1
        self.burns = False
        if self.at + count > self.cards:
            raise ValueError("more cards were dealt than the deck has")
        self.at += count
        return list(range(self.at - count, self.at))

    def _show(self, places: Sequence[int], cards: Sequence[str]) -> None:
        if len(places) != len(cards):
            raise ValueError("a hand was shown with another number of cards than dealt")
        for place, card in zip(places, cards, strict=True):
            if card == "??":
                continue
            if self.shown.setdefault(place, card) != card:
                raise ValueError(f"position {place} was shown as two cards")
