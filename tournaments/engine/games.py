"""Refuse variants, betting limits, seats and levels of a tournament that do not go together."""

from __future__ import annotations

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tables.engine.variants import VARIANTS, Variant
from tournaments.engine.structure import BlindStructure, check_antes


def validate_game(variant: str, limit: str, seats_per_table: int) -> Variant:
    """Return the game of that name; refuse an unknown name, limit or size (O-01, D-03)."""
    game = VARIANTS.get(variant)
    if game is None:
        raise RuleRefusal(
            "no_game",
            _("There is no game of that name. There are: %(variants)s."),
            field="variant",
            variants=list(VARIANTS),
        )
    if limit not in game.limits:
        raise RuleRefusal(
            "no_limit_of_game",
            _("That game is not played with this limit, but with: %(limits)s."),
            field="limit",
            limits=list(game.limits),
        )
    if seats_per_table > game.seats_max:
        raise RuleRefusal(
            "seats_of_game",
            _("At most %(seats_max)s players sit at a table of this game."),
            field="seats_per_table",
            seats_max=game.seats_max,
        )
    return game


def check_levels(game: Variant, structure: BlindStructure, starting_stack: int) -> None:
    """Refuse levels of another game or without its ante, and a stack below a big blind (L-01)."""
    if any((level.small_bet > 0) != game.brings_in for level in structure.levels):
        if game.brings_in:
            raise RuleRefusal(
                "needs_stud_levels",
                _("Stud needs a structure with ante, bring-in and small bet."),
                field="structure",
            )
        raise RuleRefusal(
            "needs_blinds",
            _("This game needs a structure with blinds, not one of stud."),
            field="structure",
        )
    check_antes(structure)
    first = structure.levels[0]
    if starting_stack < (first.big_blind or first.small_bet):
        raise RuleRefusal(
            "stack_below_blind",
            _("The starting stack is at least one big blind."),
            field="starting_stack",
        )
