"""Games of the room that the Poker Hand History standard has no code for, told to pokerkit."""

from __future__ import annotations

from pokerkit import (
    BettingStructure,
    Deck,
    HandHistory,
    HoleBoardCombinationHand,
    Mode,
    State,
)
from pokerkit.lookups import StandardLookup

from tables.engine.variants import VARIANTS
from tables.second_opinion.other_engine import HANDS, STRUCTURES, streets_of


class ThreeAndTwoHand(HoleBoardCombinationHand):
    """Hand of three hole cards and two of the board (O-02)."""

    lookup = StandardLookup()
    low = False
    card_count = 5
    board_card_count = 2
    hole_card_count = 3


_HANDS = {**HANDS, "omaha5_house": (ThreeAndTwoHand,)}


class RoomHistory(HandHistory):
    """Hand history that plays games without a code by the room's own fields of the document."""

    def create_state(self) -> State:
        """Return the state before the first bet."""
        if self.variant in self.game_types:
            return super().create_state()
        variant, limit = (str(self.user_defined_fields[name]) for name in ("_variant", "_limit"))
        return State(
            tuple(one for one in self.automations if one != "Card burning"),
            Deck.STANDARD,
            _HANDS[variant],
            streets_of(variant, limit, self._least_bets(variant)),
            # A document of spread limit holds bets that were allowed; pokerkit knows no such limit.
            STRUCTURES.get(limit, BettingStructure.NO_LIMIT),
            self.ante_trimming_status,
            self.antes,
            self.blinds_or_straddles or 0,
            self.bring_in or 0,
            self.starting_stacks,
            len(self.starting_stacks),
            mode=Mode.CASH_GAME,
        )

    def _least_bets(self, variant: str) -> list[int]:
        small = self.small_bet or self.min_bet or 0
        big = self.big_bet or small
        return [big if street.big else small for street in VARIANTS[variant].streets]
