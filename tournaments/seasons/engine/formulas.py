"""Points of a place: formulas of well-known leagues, the proof of a formula, and its preview."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, reduce
from itertools import pairwise

from config import limits
from config.refusals import marked as _
from tournaments.seasons.engine.evaluation import CONTEXT, evaluate
from tournaments.seasons.engine.expression import FormulaCall, FormulaNode, parse_formula
from tournaments.seasons.engine.refusals import BadFormula

PRESETS = {
    "linear": "field - place + 1",
    "square_root": "10 * sqrt(field / place)",
    "racing": "table(25, 18, 15, 12, 10, 8, 6, 4, 2, 1)",
    "weighted": "10 * sqrt(field / place) * (1 + log10(buy_in + 1))",
}
"""Formulas of well-known leagues: one point for each entry beaten; square root of field over
place; the table of Formula One; and the square root weighted by the buy-in."""

CENT = Decimal("0.01")
"""Points have two places after the point, rounded half up."""

_FIELDS = (1, 2, 3, 6, 9, 10, 27, 100, 999)
_PLACES = (*range(1, 21), 27, 50, 100, 500, 999)
_BUY_INS = (0, 50, 1_000, 1_000_000)


def validate_formula(text: str) -> None:
    """Refuse a formula that is too costly, or without a fair value at one of the places tried.

    Fields of 1 to 999 entries are tried at some of their places. Raises BadFormula.
    """
    tree = parse_formula(text)
    if _costly_steps(tree) > limits.FORMULA_POWERS_MAX:
        raise BadFormula(
            _("A formula has at most %(most)s powers and logarithms."),
            most=limits.FORMULA_POWERS_MAX,
        )
    for field in _FIELDS:
        for place in (place for place in _PLACES if place <= field):
            for buy_in in _BUY_INS:
                value = evaluate(tree, _names(place, field, buy_in))
                if value > limits.POINTS_MAX:
                    raise BadFormula(
                        _("The formula gives more than %(most)s points for one place."),
                        most=limits.POINTS_MAX,
                    )


@lru_cache(maxsize=4_096)
def points_by_place(text: str, field: int, buy_in: int) -> tuple[Decimal, ...]:
    """Return the points of every place of a field, unrounded and never below 0; buy-in in cents.

    A place for which the formula has no value is worth 0, one above POINTS_MAX that much.
    """
    return tuple(_points(text, field, buy_in))


def preview(text: str, field: int, buy_in: int) -> tuple[Decimal, ...]:
    """Return the rounded points of every place of a field, and keep none; raises BadFormula."""
    validate_formula(text)
    return tuple(rounded(points) for points in _points(text, field, buy_in))


def rewards_worse_places(points: tuple[Decimal, ...]) -> int | None:
    """Return the first place that gets more than the place before; None for fair points."""
    pairs = enumerate(pairwise(points), start=2)
    return next((place for place, (better, worse) in pairs if worse > better), None)


def shared_points(points: tuple[Decimal, ...], place: int, sharing: int) -> Decimal:
    """Return the points of each of the entries that share a place: the mean of their places."""
    together = points[place - 1 : place - 1 + sharing]
    return CONTEXT.divide(reduce(CONTEXT.add, together, Decimal(0)), Decimal(sharing))


def rounded(points: Decimal) -> Decimal:
    """Return points with two places after the point, rounded half up."""
    return points.quantize(CENT, rounding=ROUND_HALF_UP)


def preset_of(text: str) -> str:
    """Return the name of the preset with this formula; "" for a formula of one's own."""
    return next((name for name, formula in PRESETS.items() if formula == text), "")


def _points(text: str, field: int, buy_in: int) -> Iterator[Decimal]:
    tree = parse_formula(text)
    return (_bounded(tree, place, field, buy_in) for place in range(1, field + 1))


def _costly_steps(tree: FormulaNode) -> int:
    """Return the number of powers and logarithms: each takes as long as a hundred other steps."""
    if not isinstance(tree, FormulaCall):
        return 0
    return (tree.function in ("^", "log10")) + sum(map(_costly_steps, tree.arguments))


def _names(place: int, field: int, buy_in: int) -> dict[str, Decimal]:
    return {
        "place": Decimal(place),
        "field": Decimal(field),
        "buy_in": Decimal(buy_in).scaleb(-2),
    }


def _bounded(tree: FormulaNode, place: int, field: int, buy_in: int) -> Decimal:
    try:
        value = evaluate(tree, _names(place, field, buy_in))
    except BadFormula:
        return Decimal(0)
    return max(Decimal(0), min(value, Decimal(limits.POINTS_MAX)))
