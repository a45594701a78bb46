"""Drawings of dealt cards: kinds above and below their mean."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

WIDTH, HEIGHT, GAP = 640, 120, 6


class KindBar(msgspec.Struct, frozen=True):
    """A rank or suit: its count, its distance from the mean, and its bar in the drawing."""

    name: str
    count: int
    more: float
    x: float
    y: float
    height: float


class KindBars(msgspec.Struct, frozen=True):
    """Bars of all kinds; `top` is the distance at the upper edge, the band is chance alone."""

    bars: list[KindBar]
    mean: float
    top: float
    band_y: float
    band_height: float
    bar_width: float
    zero: float = HEIGHT / 2
    width: int = WIDTH
    height: int = HEIGHT


def kind_bars(
    names: Sequence[str], counts: Sequence[int], mean: float, reach: float
) -> KindBars | None:
    """Return the bars of counts around their mean; `reach` is half the band, 0 for none."""
    if not sum(counts):
        return None
    top = max(reach * 1.5, *(abs(count - mean) for count in counts), 1.0)
    step, half = WIDTH / len(counts), HEIGHT / 2
    bars = []
    for at, (name, count) in enumerate(zip(names, counts, strict=True)):
        high = abs(count - mean) / top * half
        y = half - high if count > mean else half
        bars.append(KindBar(name, count, count - mean, at * step + GAP, y, high))
    band = reach / top * half
    return KindBars(bars, mean, top, half - band, 2 * band, step - 2 * GAP)
