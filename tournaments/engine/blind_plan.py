"""Plan the levels of a tournament from its players, stack and length, and forecast its end."""

from __future__ import annotations

from bisect import bisect_right
from math import log

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.formats import FORMATS, shootout_rounds
from tournaments.engine.structure import (
    LEVEL_MS_MAX,
    AnteKind,
    BlindStructure,
    Break,
    Level,
    validate_structure,
)
from tournaments.engine.terms import FormatTerms

SMALL_BLINDS = (
    *(1, 2, 3, 4, 5, 6, 8),
    *(step * 10**power for power in range(10) for step in (10, 15, 20, 25, 30, 40, 50, 60, 80)),
)
"""The ladder of customary small blinds, strictly rising from 1; the big blind is twice as large."""

ANTE_CHIP = 5
"""Antes of all seats are whole multiples of this chip from it on: 35 and no 37."""

MINUTE_MS = 60_000
HAND_MS = 60_000
"""Duration of a hand, in ms, for the forecast of levels that are counted in hands."""

END_BIG_BLINDS = 10
"""Average stack in big blinds when the field is down to its last players."""

PLAN_MINUTES_MIN, PLAN_MINUTES_MAX = 10, 48 * 60
PLAN_STACK_MIN = 40
BREAK_MS = 5 * MINUTE_MS
PLAY_BETWEEN_BREAKS_MS = 60 * MINUTE_MS
BREAKS_FROM_MS = 120 * MINUTE_MS
RISE = 1.35
"""Ratio of a big blind to the one before, where the ladder and the time allow it."""

TAIL_LEVELS = 12
_LEVEL_MINUTES = (
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 60, 75, 90, 120, 150, 180),
    *(240, 300, 360, 480, 600, 720, 960, 1_200, 1_440),
)
_DEPTHS = ((45 * MINUTE_MS, 50), (120 * MINUTE_MS, 75))
_DEPTH_MAX = 100


def plan(players: int, stack: int, minutes: int, *, ante_kind: AnteKind = "none") -> BlindStructure:
    """Plan levels so that `players` with `stack` chips end about `minutes` after the start (L-01).

    Small blinds are taken from the ladder, the big blind is twice as large, all levels last equally
    long; antes begin with the fourth level. From two hours on there are breaks. Raises RuleRefusal
    for a stack under 40 chips, a length outside 10 minutes to 48 hours, or more chips than the
    ladder reaches.
    """
    chips = players * stack
    if players < 2 or stack < PLAN_STACK_MIN or chips > 20 * SMALL_BLINDS[-1]:
        raise RuleRefusal(
            "plan_stack", _("A plan needs two players and stacks of 40 chips or more.")
        )
    if not PLAN_MINUTES_MIN <= minutes <= PLAN_MINUTES_MAX:
        raise RuleRefusal("plan_length", _("A plan is for 10 minutes to 48 hours."))
    whole_ms = minutes * MINUTE_MS
    breaks = _breaks(whole_ms)
    first = at_most(stack / (2 * _depth(whole_ms)))
    last = max(first + 1, nearest(chips / (4 * END_BIG_BLINDS)))
    level_ms, levels = _pace(whole_ms - breaks * BREAK_MS, first, last)
    places = _rise(first, last, levels)
    places += _tail(places, chips)
    return validate_structure(
        BlindStructure(items=tuple(_laid(places, level_ms, breaks, ante_kind)))
    )


def ends_after_ms(structure: BlindStructure, *, chips: int, left: int = 2) -> int | None:
    """Return the time in ms from the start until about `left` players remain, breaks included.

    The forecast is the middle of the level at which the average stack is ten big blinds. None when
    no level is that high: the end is open.
    """
    began = 0
    for item in structure.items:
        if isinstance(item, Break):
            began += item.lasts_ms
            continue
        lasts_ms = item.lasts_ms or item.lasts_hands * HAND_MS
        if max(item.big_blind, item.small_bet) * END_BIG_BLINDS * left >= chips:
            return began + lasts_ms // 2
        began += lasts_ms
    return None


def forecast_ms(
    structure: BlindStructure,
    *,
    terms: FormatTerms,
    players: int,
    stack: int,
    play_time_ms: int = 0,
) -> int | None:
    """Return the time in ms until a tournament of `players` ends by its format; None if open.

    A shootout plays its rounds one after the other (F-04), a Fifty50 and a double or nothing end
    with half the field (F-06, F-07), a limited play time ends the other formats (T-11).
    """
    rules = FORMATS[terms.format]
    if rules.has_rounds:
        at_table = min(players, terms.seats_per_table)
        one_ms = ends_after_ms(structure, chips=at_table * stack)
        rounds = shootout_rounds(players, terms.seats_per_table)
        return None if one_ms is None else rounds * one_ms
    ends_ms = ends_after_ms(structure, chips=players * stack, left=rules.left_at_end(players))
    if not play_time_ms:
        return ends_ms
    return play_time_ms if ends_ms is None else min(ends_ms, play_time_ms)


def at_most(small: float) -> int:
    """Return the ladder index of the largest small blind not above `small`, 0 at least."""
    return max(0, bisect_right(SMALL_BLINDS, small) - 1)


def nearest(small: float) -> int:
    """Return the ladder index of the small blind closest to `small` by its ratio."""
    place = at_most(small)
    if place + 1 == len(SMALL_BLINDS) or small <= SMALL_BLINDS[place]:
        return place
    lower, upper = SMALL_BLINDS[place], SMALL_BLINDS[place + 1]
    return place if small * small <= lower * upper else place + 1


def customary_level(small: int, *, lasts_ms: int, ante_kind: AnteKind) -> Level:
    """Return the level of a small blind, with twice that as the big blind and with its ante (L-01).

    The big blind antes its own size, every seat a quarter of the small blind in whole chips of 5.
    """
    quarter = small // 4
    each = quarter - quarter % ANTE_CHIP if quarter >= ANTE_CHIP else max(1, quarter)
    antes = {"none": 0, "big_blind": 2 * small, "per_seat": each}
    return Level(
        small_blind=small,
        big_blind=2 * small,
        ante=antes[ante_kind],
        ante_kind=ante_kind,
        lasts_ms=lasts_ms,
    )


def _depth(whole_ms: int) -> int:
    return next((depth for until, depth in _DEPTHS if whole_ms <= until), _DEPTH_MAX)


def _breaks(whole_ms: int) -> int:
    if whole_ms < BREAKS_FROM_MS:
        return 0
    return (whole_ms - 1) // (PLAY_BETWEEN_BREAKS_MS + BREAK_MS)


def _pace(play_ms: int, first: int, last: int) -> tuple[int, int]:
    """Return the length of a level in ms and the number of levels, within the customary range."""
    growth = SMALL_BLINDS[last] / SMALL_BLINDS[first]
    wanted = min(last - first, max(1, round(log(growth) / log(RISE)))) + 1
    ideal = play_ms / (wanted - 0.5) / MINUTE_MS
    by_ratio = sorted(_LEVEL_MINUTES, key=lambda length: abs(log(length / ideal)))
    for length in by_ratio:
        levels = int(play_ms / (length * MINUTE_MS) + 1)
        if 2 <= levels <= last - first + 1:
            return length * MINUTE_MS, levels
    return min(int(ideal * MINUTE_MS), LEVEL_MS_MAX), wanted


def _rise(first: int, last: int, levels: int) -> list[int]:
    """Ladder indexes from the first to the last, rising by about equal ratios."""
    growth = SMALL_BLINDS[last] / SMALL_BLINDS[first]
    places = [first]
    for step in range(1, levels):
        place = nearest(SMALL_BLINDS[first] * growth ** (step / (levels - 1)))
        # Leave room below for the levels that follow: each takes an index of its own.
        places.append(min(max(place, places[-1] + 1), last - (levels - 1 - step)))
    return places


def _tail(places: list[int], chips: int) -> list[int]:
    """Append levels beyond the expected end, so that the blinds rise until the real end."""
    stride = max(1, places[-1] - places[-2])
    tail: list[int] = []
    place = places[-1] + stride
    while place < len(SMALL_BLINDS) and len(tail) < TAIL_LEVELS:
        tail.append(place)
        if 4 * SMALL_BLINDS[place] >= chips:
            break
        place += stride
    return tail


def _laid(
    places: list[int], level_ms: int, breaks: int, ante_kind: AnteKind
) -> list[Level | Break]:
    items: list[Level | Break] = []
    since_break_ms = 0
    for number, place in enumerate(places, start=1):
        if breaks and since_break_ms >= PLAY_BETWEEN_BREAKS_MS:
            items.append(Break(lasts_ms=BREAK_MS))
            breaks, since_break_ms = breaks - 1, 0
        antes = ante_kind if number > 3 else "none"
        items.append(customary_level(SMALL_BLINDS[place], lasts_ms=level_ms, ante_kind=antes))
        since_break_ms += level_ms
    return items
