"""Values of a formula in decimals of 34 digits: exact sums, no overflow, no division by zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import (
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)
from typing import Any

from config import limits
from config.refusals import marked as _
from tournaments.seasons.engine.expression import FormulaCall, FormulaName, FormulaNode
from tournaments.seasons.engine.refusals import BadFormula

CONTEXT = Context(
    prec=34, rounding=ROUND_HALF_EVEN, traps=[DivisionByZero, InvalidOperation, Overflow]
)
"""The digits of an IEEE 754 decimal128; flags are never read, so threads may share it."""

_ONE, _ZERO = Decimal(1), Decimal(0)


def evaluate(node: FormulaNode, names: Mapping[str, Decimal]) -> Decimal:
    """Return the value of a formula for these names; raises BadFormula where it has none."""
    try:
        return _value(node, names)
    except (DivisionByZero, InvalidOperation, Overflow) as error:
        raise BadFormula(
            _("The formula has no value at place %(place)s of %(entries)s, buy-in %(buy_in)s."),
            **_words(names),
        ) from error


def _value(node: FormulaNode, names: Mapping[str, Decimal]) -> Decimal:
    if isinstance(node, FormulaName):
        return names[node.name]
    if not isinstance(node, FormulaCall):
        return node.value
    if node.function == "if":
        condition, yes, no = node.arguments
        return _value(yes if _value(condition, names) else no, names)
    if node.function == "table":
        place = int(names["place"])
        return _value(node.arguments[place - 1], names) if place <= len(node.arguments) else _ZERO
    given = [_value(argument, names) for argument in node.arguments]
    found = _power(*given) if node.function == "^" else _STEPS[node.function](*given)
    if not found.is_finite():
        raise InvalidOperation  # the logarithm of 0
    if abs(found) > limits.FORMULA_VALUE_MAX:
        raise BadFormula(
            _("The formula exceeds %(most)s at place %(place)s of %(entries)s, buy-in %(buy_in)s."),
            most=limits.FORMULA_VALUE_MAX,
            **_words(names),
        )
    return found


def _words(names: Mapping[str, Decimal]) -> dict[str, Any]:
    """Return the values of the names for a sentence; `field` is the wrong field of a refusal."""
    told = {"entries" if name == "field" else name: value for name, value in names.items()}
    return {name: f"{value:f}" for name, value in told.items()}


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > limits.FORMULA_EXPONENT_MAX:
        raise BadFormula(
            _("An exponent of a formula is between -%(most)s and %(most)s."),
            most=limits.FORMULA_EXPONENT_MAX,
        )
    return CONTEXT.power(base, exponent)


def _rounded(mode: str) -> Callable[[Decimal], Decimal]:
    return lambda value: value.to_integral_value(rounding=mode)


_STEPS: dict[str, Callable[..., Decimal]] = {
    "+": CONTEXT.add,
    "-": CONTEXT.subtract,
    "*": CONTEXT.multiply,
    "/": CONTEXT.divide,
    "negative": CONTEXT.minus,
    "sqrt": CONTEXT.sqrt,
    "log10": CONTEXT.log10,
    "floor": _rounded(ROUND_FLOOR),
    "ceil": _rounded(ROUND_CEILING),
    "round": _rounded(ROUND_HALF_UP),
    "min": min,
    "max": max,
    "<": lambda left, right: _ONE if left < right else _ZERO,
    "<=": lambda left, right: _ONE if left <= right else _ZERO,
    ">": lambda left, right: _ONE if left > right else _ZERO,
    ">=": lambda left, right: _ONE if left >= right else _ZERO,
    "=": lambda left, right: _ONE if left == right else _ZERO,
}
