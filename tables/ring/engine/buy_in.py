"""Chips that a seat may bring and add: buy-in, coming back, top-up and re-buy (A-03, B-05)."""

from __future__ import annotations

from config.refusals import marked as _
from tables.ring.engine.refusals import ChipsRefused


def least_return(left_with: int, left_at_ms: int, now_ms: int, *, return_ms: int) -> int:
    """Return the least chips of a player who left this game `return_ms` ago or less, else 0.

    Going home with winnings and coming back with less ("rat-holing") would take chips off the
    table, which nobody may do (A-03).
    """
    return left_with if now_ms - left_at_ms <= return_ms else 0


def buy_in_limits(*, least: int, most: int, brought: int) -> tuple[int, int]:
    """Return the least and most chips of a buy-in between `least` and `most` (A-03).

    A player who comes back has to bring at least `brought`, also above `most`.
    """
    return max(least, brought), max(most, brought)


def check_buy_in(amount: int, *, least: int, most: int, brought: int = 0) -> None:
    """Refuse a buy-in outside its limits; equal limits allow exactly one sum (A-03, S0)."""
    comes_back = brought > least
    least, most = buy_in_limits(least=least, most=most, brought=brought)
    if comes_back and amount < least:
        sentence = _("You left with more: come back with at least %(least)s.")
        raise ChipsRefused("return_too_small", sentence, least=least, most=most)
    if least == most != amount:
        sentence = _("The buy-in of this table is %(least)s.")
        if comes_back:
            sentence = _("You left with %(least)s: come back with exactly that.")
        raise ChipsRefused("buy_in_exact", sentence, least=least, most=most)
    if not least <= amount <= most:
        code = "buy_in_too_small" if amount < least else "buy_in_too_large"
        sentence = _("The buy-in is at least %(least)s and at most %(most)s.")
        raise ChipsRefused(code, sentence, least=least, most=most)


def top_up_limits(here: int, *, least: int, most: int) -> tuple[int, int]:
    """Return the least and most chips that a seat with `here` may add; (0, 0) for a full stack."""
    if here >= most:
        return 0, 0
    return max(1, least - here), most - here


def check_top_up(stack: int, coming: int, amount: int, *, least: int, most: int) -> None:
    """Refuse chips that leave the seat below `least` or lift it above `most` (A-03, B-05).

    `coming` are chips paid for already and not yet in front of the seat. A re-buy is the top-up of
    an empty stack.
    """
    fewest, largest = top_up_limits(stack + coming, least=least, most=most)
    if not largest:
        sentence = _("Your stack is at the maximum of this table.")
        raise ChipsRefused("stack_full", sentence, most=0)
    if not fewest <= amount <= largest:
        code = "top_up_too_small" if amount < fewest else "top_up_too_large"
        sentence = _("Add at least %(least)s and at most %(most)s.")
        raise ChipsRefused(code, sentence, least=fewest, most=largest)


def automatic_top_up(stack: int, coming: int, covered: int, *, least: int, most: int) -> int:
    """Return the chips that lift a seat to `most`, or as far as the `covered` money reaches.

    The result is 0 when there is nothing to add, or when the money does not lift it to `least`.
    """
    here = stack + coming
    amount = max(0, min(most - here, covered))
    return amount if here + amount >= least else 0
