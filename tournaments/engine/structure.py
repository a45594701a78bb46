"""The ordered levels and breaks of a tournament, and the validation of such a list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Literal

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tables.engine.events import Stakes

AnteKind = Literal["none", "per_seat", "big_blind"]

CHIPS_MAX = 10**12
ITEMS_MAX = 200
LEVEL_MS_MAX = 24 * 60 * 60 * 1000
LEVEL_HANDS_MAX = 10_000
DEPTH_MIN = 10
"""Least starting stack of a stored structure, in big blinds of the first level."""

DEPTH_SHALLOW = 30
"""Starting stack in big blinds below which the editor calls a structure shallow."""


_refusal = partial(RuleRefusal, field="structure")


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="level"):
    """Forced bets in chips, for a time in ms or for a number of hands (L-01); the other is 0.

    `big_bet` is the bet of the later rounds of split limit (B-03), `spread_max` the most that a bet
    or raise of spread limit adds (B-04); 0 means twice the big blind, in stud twice the small bet.
    """

    small_blind: int
    big_blind: int
    ante: int = 0
    ante_kind: AnteKind = "none"
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0
    spread_max: int = 0
    lasts_ms: int = 0
    lasts_hands: int = 0


class Break(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="break"):
    """A pause of all tables together, in ms (L-05)."""

    lasts_ms: int


class BlindStructure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Levels and breaks in the order they are played; the last level has no end (L-01)."""

    items: tuple[Level | Break, ...]

    @property
    def levels(self) -> tuple[Level, ...]:
        """Levels without breaks."""
        return tuple(item for item in self.items if isinstance(item, Level))


def validate_structure(structure: BlindStructure) -> BlindStructure:
    """Return the structure if it can be played; raise RuleRefusal otherwise (L-01)."""
    if not structure.levels:
        raise _refusal("no_levels", _("A structure needs at least one level."))
    if len(structure.items) > ITEMS_MAX:
        raise _refusal(
            "too_many_levels",
            _("A structure has at most %(most)s levels and breaks."),
            most=ITEMS_MAX,
        )
    if isinstance(structure.items[0], Break) or isinstance(structure.items[-1], Break):
        raise _refusal("break_outside", _("A break lies between two levels."))
    for index, item in enumerate(structure.items):
        with _item(index):
            if isinstance(item, Break):
                _check_time(item.lasts_ms)
            else:
                _check_level(item)
    levels = [(at, item) for at, item in enumerate(structure.items) if isinstance(item, Level)]
    for (_at, before), (index, after) in pairwise(levels):
        with _item(index):
            _check_rise(before, after)
    return structure


def check_depth(structure: BlindStructure, stack: int) -> None:
    """Refuse a starting stack below DEPTH_MIN big blinds of the first level (L-01)."""
    if depth(structure, stack) < DEPTH_MIN:
        raise _refusal(
            "few_big_blinds",
            _("The starting stack is at least %(least)s big blinds of the first level."),
            item=0,
            least=DEPTH_MIN,
        )


def check_antes(structure: BlindStructure) -> None:
    """Refuse stud levels in which nobody pays an ante, for a structure that is made now (D-01)."""
    for index, item in enumerate(structure.items):
        if isinstance(item, Level) and item.small_bet and not item.ante:
            raise _refusal("no_ante", _("In stud every seat pays an ante."), item=index)


def depth(structure: BlindStructure, stack: int) -> float:
    """Return a starting stack in big blinds of the first level; in small bets for stud."""
    first = structure.levels[0]
    return stack / (first.big_blind or first.small_bet)


def stakes_of(level: Level, limit: str) -> Stakes:
    """Convert a level to the stakes of the hand engine under a betting limit (L-04, B-03, B-04)."""
    sizes = {"fixed_limit": level.big_bet, "spread_limit": level.spread_max}
    return Stakes(
        small_blind=level.small_blind,
        big_blind=level.big_blind,
        ante=level.ante,
        ante_kind=level.ante_kind,
        bring_in=level.bring_in,
        small_bet=level.small_bet,
        big_bet=sizes.get(limit, 0) or 2 * level.small_bet,
    )


def timed(structure: BlindStructure, *, level_ms: int) -> BlindStructure:
    """Return the stakes with every level lasting `level_ms` (L-02)."""
    items = tuple(
        item
        if isinstance(item, Break)
        else msgspec.structs.replace(item, lasts_ms=level_ms, lasts_hands=0)
        for item in structure.items
    )
    return validate_structure(BlindStructure(items=items))


def for_stud(structure: BlindStructure) -> BlindStructure:
    """Convert a structure of blinds to stud stakes; stud levels stay unchanged (L-01).

    The big blind becomes the small bet; the ante is an eighth of it, the bring-in half the small
    blind. Levels and breaks keep their length.
    """
    items = tuple(
        msgspec.structs.replace(
            item,
            small_blind=0,
            big_blind=0,
            ante=max(1, item.big_blind // 8),
            ante_kind="per_seat",
            bring_in=max(1, item.small_blind // 2),
            small_bet=item.big_blind,
        )
        if isinstance(item, Level) and not item.small_bet
        else item
        for item in structure.items
    )
    return BlindStructure(items=items)


@contextmanager
def _item(index: int) -> Iterator[None]:
    """Add the index of the refused level or break to a RuleRefusal."""
    try:
        yield
    except RuleRefusal as refusal:
        refusal.item = index
        raise


def _check_level(level: Level) -> None:
    amounts = (
        level.small_blind,
        level.big_blind,
        level.ante,
        level.bring_in,
        level.small_bet,
        level.big_bet,
        level.spread_max,
    )
    if any(amount < 0 or amount > CHIPS_MAX for amount in amounts):
        raise _refusal("amount_out_of_range", _("Blinds, antes and bets lie between 0 and 10^12."))
    stud = level.small_bet > 0
    if stud and (level.small_blind or level.big_blind):
        raise _refusal("blinds_in_stud", _("A stud level has an ante and a bring-in, no blinds."))
    if stud and not 0 < level.bring_in <= level.small_bet:
        raise _refusal("bad_bring_in", _("The bring-in is at least 1 and at most the small bet."))
    if not stud and level.bring_in:
        raise _refusal("bad_bring_in", _("Only a stud level, with its small bet, has a bring-in."))
    if not stud and not (level.small_blind > 0 and level.big_blind > 0):
        raise _refusal("zero_level", _("Small and big blind of a level are at least 1."))
    if level.big_blind < level.small_blind:
        raise _refusal("big_below_small", _("The big blind is at least the small blind."))
    least = level.big_blind or level.small_bet
    if level.big_bet and level.big_bet < least:
        raise _refusal(
            "bad_big_bet", _("The big bet is at least the big blind, in stud the small bet.")
        )
    if level.spread_max and level.spread_max < least:
        raise _refusal(
            "bad_spread",
            _("The most of a spread is at least the big blind, in stud the small bet."),
        )
    if (level.ante == 0) != (level.ante_kind == "none"):
        raise _refusal(
            "bad_ante", _("A level with an ante says who pays it; one without has none.")
        )
    if stud and level.ante_kind == "big_blind":
        raise _refusal("bad_ante", _("Stud has no big blind who could pay the ante for the table."))
    _check_length(level)


def _check_length(level: Level) -> None:
    if level.lasts_hands and level.lasts_ms:
        raise _refusal("two_lengths", _("A level lasts a time or a number of hands, not both."))
    if not level.lasts_hands:
        _check_time(level.lasts_ms)
    elif not 0 < level.lasts_hands <= LEVEL_HANDS_MAX:
        raise _refusal(
            "bad_length", _("A level lasts between 1 and %(most)s hands."), most=LEVEL_HANDS_MAX
        )


def _check_time(lasts_ms: int) -> None:
    if not 0 < lasts_ms <= LEVEL_MS_MAX:
        raise _refusal(
            "bad_length", _("A level or break lasts more than nothing and at most a day.")
        )


def _check_rise(before: Level, after: Level) -> None:
    if (before.small_bet > 0) != (after.small_bet > 0):
        return
    falls = (
        after.small_blind < before.small_blind
        or after.big_blind < before.big_blind
        or after.small_bet < before.small_bet
        or after.bring_in < before.bring_in
        or _most(after, "big_bet") < _most(before, "big_bet")
        or _most(after, "spread_max") < _most(before, "spread_max")
    )
    if falls:
        raise _refusal(
            "falling_blinds", _("Blinds and bets never fall from one level to the next.")
        )


def _most(level: Level, name: str) -> int:
    """Return a big bet or the most of a spread; 0 stands for twice the least (B-03, B-04)."""
    return int(getattr(level, name)) or 2 * (level.big_blind or level.small_bet)
