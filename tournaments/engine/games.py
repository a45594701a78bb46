"""Refuse variants, betting limits, seats and levels of a tournament that do not go together."""

from __future__ import annotations

from tables.engine.variants import VARIANTS, Variant
from tournaments.engine.refusals import RuleRefusal
from tournaments.engine.structure import BlindStructure


def validate_game(variant: str, limit: str, seats_per_table: int) -> Variant:
    """Return the game of that name; refuse an unknown name, limit or size (O-01, D-03)."""
    game = VARIANTS.get(variant)
    if game is None:
        raise RuleRefusal(
            "no_game", "There is no game of that name.", field="variant", variants=list(VARIANTS)
        )
    if limit not in game.limits:
        raise RuleRefusal(
            "no_limit_of_game",
            "That game is not played with this limit.",
            field="limit",
            limits=list(game.limits),
        )
    if seats_per_table > game.seats_max:
        raise RuleRefusal(
            "seats_of_game",
            "Too many players for a table of this game.",
            field="seats_per_table",
            seats_max=game.seats_max,
        )
    return game


def check_levels(game: Variant, structure: BlindStructure, starting_stack: int) -> None:
    """Refuse levels of another game, and a stack below the first big blind (L-01, T-03)."""
    if any((level.small_bet > 0) != game.brings_in for level in structure.levels):
        if game.brings_in:
            raise RuleRefusal("needs_stud_levels", "Stud needs stud levels.", field="structure")
        raise RuleRefusal("needs_blinds", "This game needs blinds.", field="structure")
    first = structure.levels[0]
    if starting_stack < (first.big_blind or first.small_bet):
        raise RuleRefusal(
            "stack_below_blind",
            "The starting stack is at least one big blind.",
            field="starting_stack",
        )
