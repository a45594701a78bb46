"""A running sum as a drawing: points of an SVG polyline between the lowest and highest sum."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

WIDTH, HEIGHT = 640, 160
POINTS_MAX = 400


class SumGraph(msgspec.Struct, frozen=True):
    """The drawing: one point per value from left to right; sums in the unit of the values.

    `zero` is the height of the sum 0 in the drawing.
    """

    points: str
    lowest: float
    highest: float
    last: float
    zero: float
    width: int = WIDTH
    height: int = HEIGHT


def sum_graph(values: Sequence[float], before: float = 0) -> SumGraph | None:
    """Draw the running sum of values; None for fewer than two of them.

    It begins at the sum `before` them, of older values that are not drawn.
    """
    if len(values) < 2:
        return None
    sums = [*accumulate(values, initial=before)]
    lowest, highest = min(sums), max(sums)
    span = (highest - lowest) or 1
    step = max(1, len(sums) // POINTS_MAX)
    chosen = [*range(0, len(sums) - 1, step), len(sums) - 1]
    points = " ".join(
        f"{WIDTH * at / (len(sums) - 1):.1f},{HEIGHT * (highest - sums[at]) / span:.1f}"
        for at in chosen
    )
    return SumGraph(points, lowest, highest, sums[-1], round(HEIGHT * highest / span, 1))
