"""The current level as a pure function of the elapsed time and the hands played."""

from __future__ import annotations

import msgspec

from tournaments.engine.refusals import LastLevel, LevelByHands
from tournaments.engine.structure import BlindStructure, Break, Level


class Clock(msgspec.Struct, frozen=True):
    """Start of a tournament and the stops and charges of its time, all in ms (T-13, L-05).

    `stops` holds the reasons that stop the clock now; the clock runs again when the last reason is
    removed. `charged_ms` is time added by hand (T-09).
    """

    started_ms: int
    stopped_ms: int = 0
    charged_ms: int = 0
    stopped_since_ms: int | None = None
    stops: tuple[str, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """Start of an item of the structure: its index, the elapsed ms and the hands at that moment.

    A structure by time needs no mark. A structure by hands needs the last mark stored, because
    nothing else records when the hands of a level were complete.
    """

    index: int = 0
    elapsed_ms: int = 0
    hands: int = 0


class CurrentLevel(msgspec.Struct, frozen=True):
    """The item that runs now. `level` is the level in play, in a break the level before it.

    `number` counts levels from 1, without breaks. Of `ends_in_ms` and `ends_in_hands` the one that
    fits the item is set; in the last level neither is. `next_level` follows, and `break_in_ms` is
    the time to the next break, as far as both are known.
    """

    index: int
    number: int
    level: Level
    is_break: bool
    ends_in_ms: int | None
    ends_in_hands: int | None
    next_level: Level | None
    break_in_ms: int | None
    began: Mark


START = Mark()

MORE_TIME_MS = 300_000
"""Time that an organiser adds to a level or break at once, in ms."""


def elapsed_ms(clock: Clock, now_ms: int) -> int:
    """Return the time in ms a tournament has run by its own clock; never below zero."""
    until = now_ms if clock.stopped_since_ms is None else clock.stopped_since_ms
    return max(0, until - clock.started_ms - clock.stopped_ms + clock.charged_ms)


def stop(clock: Clock, now_ms: int, reason: str) -> Clock:
    """Stop the clock for one more reason; a repeated reason counts once."""
    if reason in clock.stops:
        return clock
    since = now_ms if clock.stopped_since_ms is None else min(now_ms, clock.stopped_since_ms)
    return msgspec.structs.replace(
        clock, stopped_since_ms=since, stops=tuple(sorted((*clock.stops, reason)))
    )


def go_on(clock: Clock, now_ms: int, reason: str) -> Clock:
    """Remove one reason to stop; the clock runs again after the last one (L-05)."""
    if reason not in clock.stops:
        return clock
    assert clock.stopped_since_ms is not None, "a stopped clock has the time of its stop"
    left = tuple(kept for kept in clock.stops if kept != reason)
    if left:
        return msgspec.structs.replace(clock, stops=left)
    stood = max(0, now_ms - clock.stopped_since_ms)
    return msgspec.structs.replace(
        clock, stops=(), stopped_since_ms=None, stopped_ms=clock.stopped_ms + stood
    )


def charge(clock: Clock, ms: int) -> Clock:
    """Advance the clock by a fixed time, independent of the real time."""
    assert ms >= 0, "a charge is never negative"
    return msgspec.structs.replace(clock, charged_ms=clock.charged_ms + ms)


def restart(clock: Clock, now_ms: int) -> Clock:
    """Restart the clock at zero; the reasons that stop it keep it stopped (F-04)."""
    ran = elapsed_ms(clock, now_ms)
    return msgspec.structs.replace(clock, stopped_ms=clock.stopped_ms + ran)


def hands_played(*, closed: int, still_open: int, gathered: bool) -> int:
    """Hands of a tournament: the highest count of any table (L-01), closed tables included.

    `closed` and `still_open` are the highest counts of each kind. A gathered final table counts
    from its own first hand, so the hands `gathered` before it are added.
    """
    return closed + still_open if gathered else max(closed, still_open)


def position(
    structure: BlindStructure, elapsed: int, hands: int, since: Mark = START
) -> CurrentLevel:
    """Return the item that runs after `elapsed` ms and `hands` (the most of any table, L-01).

    `since` is the mark of the item last seen running; the result carries the new mark. A pause
    recorded later than it began may set the clock back; the level never goes back.
    """
    elapsed = max(elapsed, since.elapsed_ms)
    mark = since
    last = len(structure.items) - 1
    while mark.index < last and _is_over(structure.items[mark.index], mark, elapsed, hands):
        mark = _end_of(structure.items[mark.index], mark, elapsed, hands)
    return _told(structure, mark, elapsed, hands)


def ended(structure: BlindStructure, now: CurrentLevel, elapsed: int, hands: int) -> Mark:
    """Return the mark at which the item after the running one begins; raises LastLevel.

    The time that the clock shows stays: a limit of play time is not shortened by it.
    """
    if now.index == len(structure.items) - 1:
        raise LastLevel
    return Mark(now.index + 1, max(elapsed, now.began.elapsed_ms), max(hands, now.began.hands))


def prolonged(structure: BlindStructure, now: CurrentLevel, elapsed: int, more_ms: int) -> Mark:
    """Return the mark of the running item, begun `more_ms` later, and not later than now.

    Raises LastLevel, or LevelByHands.
    """
    if now.index == len(structure.items) - 1:
        raise LastLevel
    if now.ends_in_ms is None:
        raise LevelByHands
    began_ms = min(now.began.elapsed_ms + more_ms, max(elapsed, now.began.elapsed_ms))
    return msgspec.structs.replace(now.began, elapsed_ms=began_ms)


def _is_over(item: Level | Break, mark: Mark, elapsed: int, hands: int) -> bool:
    if isinstance(item, Level) and item.lasts_hands:
        return hands - mark.hands >= item.lasts_hands
    return elapsed - mark.elapsed_ms >= item.lasts_ms


def _end_of(item: Level | Break, mark: Mark, elapsed: int, hands: int) -> Mark:
    if isinstance(item, Level) and item.lasts_hands:
        return Mark(mark.index + 1, elapsed, mark.hands + item.lasts_hands)
    return Mark(mark.index + 1, mark.elapsed_ms + item.lasts_ms, max(mark.hands, hands))


def _told(structure: BlindStructure, mark: Mark, elapsed: int, hands: int) -> CurrentLevel:
    item = structure.items[mark.index]
    until_now = [kept for kept in structure.items[: mark.index + 1] if isinstance(kept, Level)]
    follows = [kept for kept in structure.items[mark.index + 1 :] if isinstance(kept, Level)]
    is_last = mark.index == len(structure.items) - 1
    by_hands = isinstance(item, Level) and item.lasts_hands > 0
    ends_in_ms = None if is_last or by_hands else mark.elapsed_ms + item.lasts_ms - elapsed
    return CurrentLevel(
        index=mark.index,
        number=len(until_now),
        level=until_now[-1],
        is_break=isinstance(item, Break),
        ends_in_ms=ends_in_ms,
        ends_in_hands=_hands_left(item, mark, hands) if by_hands and not is_last else None,
        next_level=follows[0] if follows else None,
        break_in_ms=_break_in_ms(structure, mark.index, ends_in_ms),
        began=mark,
    )


def _hands_left(item: Level | Break, mark: Mark, hands: int) -> int:
    assert isinstance(item, Level), "a break is never counted in hands"
    return mark.hands + item.lasts_hands - hands


def _break_in_ms(structure: BlindStructure, index: int, ends_in_ms: int | None) -> int | None:
    if ends_in_ms is None or isinstance(structure.items[index], Break):
        return None
    wait = ends_in_ms
    for item in structure.items[index + 1 :]:
        if isinstance(item, Break):
            return wait
        if item.lasts_hands:
            return None
        wait += item.lasts_ms
    return None
