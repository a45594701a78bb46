"""Entries: the end of late registration, the conditions of buying again, and the prize pool."""

from __future__ import annotations

from typing import Literal

import msgspec

from tournaments.engine.refusals import RuleRefusal

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


def check_late(late: LateRegistration, *, reentry: bool, sit_and_go: bool) -> None:
    """Refuse a setting of late registration that contradicts the format (T-04, E-01)."""
    if sit_and_go and late.ends != "never_open":
        raise RuleRefusal("late_sit_and_go", "A Sit & Go has no late registration.")
    if late.ends == "at_first_out" and reentry:
        raise RuleRefusal(
            "reentry_after_first_out",
            "When registration ends with the first player out, there is no re-entry.",
        )
    if late.ends in ("at_level", "at_time", "at_left") and late.value <= 0:
        raise RuleRefusal(
            "bad_late_end", "Late registration ends at a level, time or number above 0."
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


def check_entry(*, live: int, entered: int, entries_max: int, several_at_once: bool) -> None:
    """Refuse one more entry of a player (E-02, E-03).

    `live` counts the player's entries that are in or wait for a re-buy offer, `entered` all entries
    the player has bought.
    """
    if live and not several_at_once:
        raise RuleRefusal("still_in", "You are still in this tournament.")
    if entered >= entries_max:
        raise RuleRefusal("no_more_entries", "You have used all your entries.")


def rebuys_open(rebuys: Rebuys, course: TournamentProgress) -> bool:
    """Return whether re-buys are open: to their level (E-04), never in hand-for-hand (E-07)."""
    return course.level <= rebuys.until_level and not course.hand_for_hand


def check_rebuy(
    rebuys: Rebuys, course: TournamentProgress, *, chips: int, starting_stack: int, bought: int
) -> None:
    """Refuse a re-buy outside its period, beyond its limit, or with too many chips (E-04)."""
    if not rebuys_open(rebuys, course):
        raise RuleRefusal("rebuys_closed", "The re-buy period is over.")
    if bought >= rebuys.per_player:
        raise RuleRefusal("no_more_rebuys", "You have used all your re-buys.")
    if chips > rebuy_limit(rebuys.threshold, starting_stack):
        raise RuleRefusal("too_many_chips", "You have too many chips to buy again.")


def rebuy_limit(threshold: Threshold, starting_stack: int) -> int:
    """Return the most chips with which a player may re-buy (E-04)."""
    return {"zero": 0, "half": starting_stack // 2, "full": starting_stack}[threshold]


def check_add_on(*, period_over: bool, window_open: bool, bought: int) -> None:
    """Refuse an add-on outside its window, or a second one (E-05)."""
    if not (period_over and window_open):
        raise RuleRefusal("no_add_on_now", "Add-ons are sold at the end of the re-buy period.")
    if bought:
        raise RuleRefusal("one_add_on", "There is one add-on for each player.")


def pool(*, contributions: int, added: int, guarantee: int) -> tuple[int, int]:
    """Return the prize pool and the overlay, the room's addition up to its guarantee (Z-01).

    `contributions` are the buy-in parts of entries, re-entries, re-buys and add-ons; fees and
    bounty parts never count.
    """
    assert min(contributions, added, guarantee) >= 0, (
        "contributions and additions are never negative"
    )
    overlay = max(0, guarantee - contributions - added)
    return contributions + added + overlay, overlay
