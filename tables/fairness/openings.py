"""Right of a viewer to see envelopes of a finished hand opened (section 7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from tables.engine.cards import DECK
from tables.fairness.positions import DealtCards
from tables.fairness.sealing import SealedCards


class Opening(NamedTuple):
    """An opened envelope: position in the deck, place of the envelope, card number and salt."""

    position: int
    place: int
    card: int
    salt: bytes
    to: Literal["all", "you"] = "all"

    @property
    def name(self) -> str:
        """Return the card in two characters."""
        return DECK[self.card]


def open_positions(
    dealt: DealtCards, *, viewer: int | None = None, looked_up: Collection[int] = ()
) -> dict[int, Literal["all", "you"]]:
    """Return the positions that a viewer may see opened, and to whom each is open.

    Open to all is a card that all were shown; to the viewer also his own and the hands he may look
    up (S-03). Folded cards of others, burnt and undealt cards stay closed: `looked_up` passes over
    a seat that was not at the showdown, over all of a hand without one, and over all when the
    viewer was not dealt in. Call it for hands that are over.
    """
    seats: set[int] = set()
    if viewer is not None and viewer in dealt.hole:
        seats = {viewer, *(dealt.showdown & set(looked_up))}
    private = {place for seat in seats for place in dealt.hole[seat]}
    places = sorted(private | dealt.shown.keys())
    return {place: "all" if place in dealt.shown else "you" for place in places}


def open_envelopes(
    deck: SealedCards, cut: Sequence[int], positions: dict[int, Literal["all", "you"]]
) -> tuple[Opening, ...]:
    """Return the openings of these positions, lowest first."""
    return tuple(
        Opening(position, cut[position], deck.order[cut[position]], deck.salts[cut[position]], to)
        for position, to in sorted(positions.items())
    )
