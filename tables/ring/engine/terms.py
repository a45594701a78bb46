"""Terms of a ring game that do not contradict each other (R-01, B-04, H-09)."""

from __future__ import annotations

from tables.engine.events import Stakes
from tables.engine.variants import VARIANTS
from tables.ring.engine.refusals import RingRuleRefusal


def check_game(
    variant: str,
    limit: str,
    stakes: Stakes,
    *,
    seats: int,
    buy_in: tuple[int, int],
    tables: tuple[int, int],
    straddle: bool,
) -> None:
    """Refuse terms that contradict each other; pairs are the smallest and the largest.

    Raises RingRuleRefusal.
    """
    game = VARIANTS.get(variant)
    if game is None:
        raise RingRuleRefusal("no_game", "There is no game of that name.")
    if limit not in game.limits:
        raise RingRuleRefusal("no_limit_of_game", "That game is not played with this limit.")
    if not 2 <= seats <= game.seats_max:
        raise RingRuleRefusal(
            "seats_of_game", "A table of this game has too few or too many seats.",
            least=2, most=game.seats_max,
        )  # fmt: skip
    _check_stakes(stakes, brings_in=game.brings_in)
    if limit == "spread_limit" and stakes.upper_bet < stakes.lower_bet:
        raise RingRuleRefusal("bad_spread", "The largest bet is at least the smallest.")
    if straddle and game.brings_in:
        raise RingRuleRefusal("no_straddle", "A game without blinds has no straddle.")
    least, most = buy_in
    if not stakes.unit <= least <= most:
        raise RingRuleRefusal(
            "bad_buy_in",
            "The smallest buy-in is at least one big blind and at most the largest.",
            least=stakes.unit,
        )
    if not 1 <= tables[0] <= tables[1]:
        raise RingRuleRefusal("bad_tables", "The fewest tables are 1 or more, and not above most.")


def _check_stakes(stakes: Stakes, *, brings_in: bool) -> None:
    amounts = (stakes.small_blind, stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet)
    if min(amounts) < 0 or stakes.big_blind < stakes.small_blind:
        raise RingRuleRefusal("bad_blinds", "Blinds and bets are positive, the big blind larger.")
    if brings_in and not (0 < stakes.bring_in <= stakes.small_bet and not stakes.big_blind):
        raise RingRuleRefusal("needs_bring_in", "Stud needs a bring-in and a small bet, no blinds.")
    if not brings_in and stakes.small_blind < 1:
        raise RingRuleRefusal("needs_blinds", "This game needs blinds.")
    if (stakes.ante_kind == "none") != (stakes.ante == 0):
        raise RingRuleRefusal("bad_ante", "An ante has an amount and a payer.")
