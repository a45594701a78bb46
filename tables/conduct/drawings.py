"""Drawings of a case as SVG: a running sum, and a distribution in bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join

WIDTH, HEIGHT, EDGE = 480, 120, 8


def running_sum(values: Sequence[float], title: str) -> str:
    """Return the line of a running sum from 0 with a caption: `title` in words, and the sum."""
    sums = [0.0, *accumulate(values)]
    low, high = min(sums), max(sums)
    span = (high - low) or 1.0
    points = " ".join(
        f"{_across(number, len(sums) - 1):.1f},{_down((value - low) / span):.1f}"
        for number, value in enumerate(sums)
    )
    zero = f"{_down(-low / span):.1f}"
    inside = format_html(
        '<line x1="{}" x2="{}" y1="{}" y2="{}" stroke="#888" stroke-dasharray="3 3"></line>'
        '<polyline points="{}" fill="none" stroke="#3b7dd8" stroke-width="2"></polyline>',
        *(EDGE, WIDTH - EDGE, zero, zero, points),
    )
    last = number_format(sums[-1], decimal_pos=1, use_l10n=True)
    caption = f"{title}: {last}"
    return format_html(
        "<figure>{}<figcaption>{}</figcaption></figure>", _drawing(inside, caption), caption
    )


def bars(counts: Sequence[int], words: Sequence[str], title: str) -> str:
    """Return a bar for each count, with its words below every other one."""
    most = max(counts, default=0) or 1
    step = (WIDTH - 2 * EDGE) / max(1, len(counts))
    inside = format_html_join(
        "",
        '<rect x="{}" y="{}" width="{}" height="{}" fill="#3b7dd8"></rect>'
        '<text x="{}" y="{}" font-size="9" text-anchor="middle" fill="currentColor">{}</text>',
        (
            (
                f"{EDGE + number * step + 1:.1f}",
                f"{HEIGHT - 16 - (HEIGHT - 28) * count / most:.1f}",
                f"{step - 2:.1f}",
                f"{(HEIGHT - 28) * count / most:.1f}",
                f"{EDGE + (number + 0.5) * step:.1f}",
                HEIGHT - 4,
                words[number] if number % 2 == 0 else "",
            )
            for number, count in enumerate(counts)
        ),
    )
    return _drawing(inside, title)


def _drawing(inside: str, title: str) -> str:
    return format_html(
        '<svg viewBox="0 0 {} {}" width="{}" height="{}" role="img"><title>{}</title>{}</svg>',
        *(WIDTH, HEIGHT, WIDTH, HEIGHT, title, inside),
    )


def _across(number: int, last: int) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * number / max(1, last)


def _down(share: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * share
