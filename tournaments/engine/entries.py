"""Entries: the end of late registration, the conditions of buying again, and the prize pool."""

from __future__ import annotations

from typing import Literal

import msgspec

from config.refusals import RuleRefusal
from config.refusals import marked as _
from tournaments.engine.refusals import (
    AlreadyRegistered,
    EntryBarred,
    NoMoreEntries,
    NoMoreRebuys,
    RebuysOver,
    RegistrationClosed,
    TooManyChips,
)

LateEnds = Literal["never_open", "at_level", "at_time", "at_left", "at_first_out"]
Threshold = Literal["zero", "half", "full"]


class LateRegistration(msgspec.Struct, frozen=True):
    """The end of late registration (E-01).

    `value` is the last open level, the elapsed time in ms, or the number of players left at which
    it closes.
    """

    ends: LateEnds
    value: int = 0


class TournamentProgress(msgspec.Struct, frozen=True):
    """The progress of a running tournament."""

    level: int
    elapsed_ms: int
    left: int
    somebody_out: bool
    hand_for_hand: bool


class Rebuys(msgspec.Struct, frozen=True):
    """The re-buy setting: chips at most zero, half or all of a starting stack; times per player.

    The period lasts through level `until_level` (E-04, E-05).
    """

    threshold: Threshold
    per_player: int
    until_level: int


def check_late(late: LateRegistration, *, reentry: bool) -> None:
    """Refuse a setting of late registration that contradicts itself or the entries (T-04, E-01)."""
    if late.ends == "at_first_out" and reentry:
        raise RuleRefusal(
            "reentry_after_first_out",
            _("When registration ends with the first player out, there is no re-entry."),
            field="entries_max",
        )
    if late.ends in ("at_level", "at_time", "at_left") and late.value <= 0:
        raise RuleRefusal(
            "bad_late_end",
            _("Late registration ends at a level, time or number above 0."),
            field="late_value",
        )


def entries_open(late: LateRegistration, course: TournamentProgress) -> bool:
    """Return whether a running tournament takes entries (E-01); never in hand-for-hand (E-07)."""
    if course.hand_for_hand:
        return False
    if late.ends == "at_level":
        return course.level <= late.value
    if late.ends == "at_time":
        return course.elapsed_ms < late.value
    if late.ends == "at_left":
        return course.left > late.value
    return late.ends == "at_first_out" and not course.somebody_out


def check_entry(
    *,
    live: int,
    entered: int,
    entries_max: int,
    several_at_once: bool,
    is_open: bool,
    is_barred: bool,
) -> None:
    """Refuse one more entry of a player (T-10, T-15, E-01, E-02, E-03).

    `live` counts the player's entries that are in or wait for a re-buy offer, `entered` all entries
    the player has bought; `is_open` while the tournament takes entries, `is_barred` after one of
    the player's was disqualified.
    """
    if is_barred:
        raise EntryBarred
    if live and not several_at_once:
        raise AlreadyRegistered
    if not is_open:
        raise RegistrationClosed
    if entered >= entries_max:
        raise NoMoreEntries(entries_max)


def rebuys_open(rebuys: Rebuys, course: TournamentProgress) -> bool:
    """Return whether re-buys are open: to their level (E-04, E-06), not in hand-for-hand (E-07)."""
    return course.level <= rebuys.until_level and not course.hand_for_hand


def check_rebuy(
    rebuys: Rebuys, course: TournamentProgress, *, chips: int, starting_stack: int, bought: int
) -> None:
    """Refuse a re-buy outside its period, beyond its limit, or with too many chips (E-04)."""
    if not rebuys_open(rebuys, course):
        raise RebuysOver
    if bought >= rebuys.per_player:
        raise NoMoreRebuys
    if chips > rebuy_limit(rebuys.threshold, starting_stack):
        raise TooManyChips


def rebuy_limit(threshold: Threshold, starting_stack: int) -> int:
    """Return the most chips with which a player may re-buy (E-04)."""
    return {"zero": 0, "half": starting_stack // 2, "full": starting_stack}[threshold]


def prize_pool(*, contributions: int, added: int, guarantee: int) -> int:
    """Return the prize pool, with the room's addition up to its guarantee (Z-01, T-10).

    `contributions` are the buy-in parts of entries, re-entries, re-buys and add-ons; fees and
    bounty parts never count.
    """
    assert min(contributions, added, guarantee) >= 0, (
        "contributions and additions are never negative"
    )
    return max(contributions + added, guarantee)
