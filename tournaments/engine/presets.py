"""Preset structures: those of the source, online speeds, stud and limits."""

from __future__ import annotations

import msgspec

from tournaments.engine.blind_plan import MINUTE_MS, SMALL_BLINDS, customary_level
from tournaments.engine.structure import (
    AnteKind,
    BlindStructure,
    Break,
    Level,
    for_stud,
    validate_structure,
)

_SMALL_BLIND_MAX = 1_000_000
ANTE_AFTER = 4


class Preset(msgspec.Struct, frozen=True):
    """A named structure and the starting stack it was designed for, in chips (L-02)."""

    name: str
    starting_stack: int
    structure: BlindStructure


def _of_source(name: str, starting_stack: int, blinds: str) -> Preset:
    levels = []
    for pair in blinds.split():
        small, big = (int(amount) for amount in pair.split("/"))
        levels.append(Level(small_blind=small, big_blind=big, lasts_ms=20 * MINUTE_MS))
    assert len(levels) == 15, "the source has fifteen levels"
    return Preset(name, starting_stack, validate_structure(BlindStructure(items=tuple(levels))))


def _online(
    name: str,
    *,
    starting_stack: int,
    first_small_blind: int,
    level_ms: int,
    ante_kind: AnteKind,
    ante_from_level: int,
    levels_between_breaks: int,
) -> Preset:
    items: list[Level | Break] = []
    for number, small in enumerate(_small_blinds(first_small_blind), start=1):
        if number > 1 and (number - 1) % levels_between_breaks == 0:
            items.append(Break(lasts_ms=5 * MINUTE_MS))
        antes = ante_kind if number >= ante_from_level else "none"
        items.append(customary_level(small, lasts_ms=level_ms, ante_kind=antes))
    return Preset(name, starting_stack, validate_structure(BlindStructure(items=tuple(items))))


def _stud(name: str, *, starting_stack: int, level_ms: int) -> Preset:
    """Return a stud preset: ante, bring-in and small bet rise together on equal levels (L-01)."""
    blinds = tuple(
        Level(small_blind=small, big_blind=2 * small, lasts_ms=level_ms)
        for small in _small_blinds(10)
    )
    return Preset(name, starting_stack, validate_structure(for_stud(BlindStructure(items=blinds))))


def _limited(name: str, *, big_bet: int = 0, spread_max: int = 0, stud: bool = False) -> Preset:
    """Return levels from 5/10 with the big bet or the largest bet in big blinds (B-03, B-04)."""
    blinds = BlindStructure(
        items=tuple(
            Level(
                small_blind=small,
                big_blind=2 * small,
                ante=small // 5 if number > ANTE_AFTER else 0,
                ante_kind="per_seat" if number > ANTE_AFTER else "none",
                big_bet=2 * small * big_bet,
                spread_max=2 * small * spread_max,
                lasts_ms=10 * MINUTE_MS,
            )
            for number, small in enumerate(_small_blinds(5), start=1)
        )
    )
    return Preset(name, 1_000, validate_structure(for_stud(blinds) if stud else blinds))


def _small_blinds(first: int) -> list[int]:
    return [small for small in SMALL_BLINDS if first <= small <= _SMALL_BLIND_MAX]


PRESETS = {
    made.name: made
    for made in (
        _of_source(
            "T100",
            100,
            "1/1 1/2 2/3 3/5 5/10 10/15 15/25 25/50 50/75 50/100 75/150 100/200 125/250"
            " 150/300 200/400",
        ),
        _of_source(
            "T200",
            200,
            "1/1 1/2 2/4 4/8 8/16 12/25 20/40 30/60 50/100 75/150 100/200 150/300 200/400"
            " 250/500 300/600",
        ),
        _of_source(
            "T300",
            300,
            "1/2 2/4 3/6 5/10 10/20 15/30 25/50 50/100 75/150 100/200 150/300 200/400"
            " 250/500 325/650 400/800",
        ),
        _online(
            "turbo",
            starting_stack=1500,
            first_small_blind=10,
            level_ms=3 * MINUTE_MS,
            ante_kind="big_blind",
            ante_from_level=4,
            levels_between_breaks=15,
        ),
        _online(
            "regular",
            starting_stack=3000,
            first_small_blind=10,
            level_ms=10 * MINUTE_MS,
            ante_kind="per_seat",
            ante_from_level=5,
            levels_between_breaks=6,
        ),
        _online(
            "deep",
            starting_stack=10_000,
            first_small_blind=25,
            level_ms=20 * MINUTE_MS,
            ante_kind="big_blind",
            ante_from_level=3,
            levels_between_breaks=4,
        ),
        _stud("stud", starting_stack=3000, level_ms=10 * MINUTE_MS),
        _limited("split", big_bet=3),
        _limited("spread", spread_max=5),
        _limited("stud_spread", spread_max=5, stud=True),
    )
}
