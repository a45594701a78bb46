"""How far a tournament has come: level, breaks, hands, and whether it still takes entries."""

from __future__ import annotations

from django.db.models import Max, Q

from config import clock
from tables.models import Table
from tournaments import locks
from tournaments.engine import entries, levels
from tournaments.engine.entries import Course
from tournaments.engine.levels import LevelNow
from tournaments.engine.structure import Break, Level
from tournaments.models import Tournament
from tournaments.models.formats import Format


def level(tournament: Tournament) -> tuple[int, Level]:
    """Number and stakes of the level that was last announced; tables play it next (L-04)."""
    items = tournament.levels().items[: max(tournament.told_index, 0) + 1]
    played = [item for item in items if isinstance(item, Level)]
    return len(played), played[-1]


def break_until_ms(tournament: Tournament) -> int | None:
    """When the break ends that was last announced; None when there is none (L-05)."""
    if tournament.told_index < 0:
        return None
    if not isinstance(tournament.levels().items[tournament.told_index], Break):
        return None
    now = position(tournament, tournament.heartbeat_ms or 0)
    return (tournament.heartbeat_ms or 0) + (now.ends_in_ms or 0)


def position(tournament: Tournament, now_ms: int) -> LevelNow:
    """Where the clock of a started tournament stands: a function of its row alone (T-13)."""
    elapsed = levels.elapsed_ms(tournament.clock(), now_ms)
    mark = tournament.mark()
    structure = tournament.levels()
    counted = any(item.lasts_hands for item in structure.levels)
    hands = hands_played(tournament) if counted else mark.hands
    return levels.position(structure, max(elapsed, mark.elapsed_ms), hands, mark)


def reached(tournament: Tournament) -> Course:
    """How far a running tournament has come, as far as buying depends on it.

    A break belongs to the level after it: what is sold through a level ends where that ends.
    """
    number = level(tournament)[0]
    return Course(
        level=number + (break_until_ms(tournament) is not None),
        elapsed_ms=levels.elapsed_ms(tournament.clock(), clock.database_now_ms()),
        left=tournament.left,
        somebody_out=tournament.left < tournament.entrants,
        hand_for_hand=tournament.hand_for_hand,
    )


def may_enter(tournament: Tournament) -> bool:
    """Whether late registration lasts at this very moment (E-01)."""
    return tournament.entries_open and entries.entries_open(tournament.late, reached(tournament))


def period_lasts(tournament: Tournament, at: Course) -> bool:
    """Whether the re-buy period lasts: to its level, at most to hand-for-hand (E-04, E-07)."""
    rebuys = tournament.rebuys
    return rebuys is not None and entries.rebuys_open(rebuys, at)


def hands_played(tournament: Tournament) -> int:
    """The most hands any table has played, those before the final table included (L-01)."""
    is_open = Q(status=Table.Status.OPEN)
    rows = Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk)
    most = rows.aggregate(
        closed=Max("hand", default=0, filter=~is_open),
        still_open=Max("hand", default=0, filter=is_open),
    )
    if tournament.format == Format.SHOOTOUT:  # every round counts its own hands (F-04)
        return levels.hands_played(closed=0, still_open=most["still_open"], gathered=False)
    return levels.hands_played(**most, gathered=tournament.final_table)


def play_ends_in_ms(tournament: Tournament, now_ms: int) -> int | None:
    """What is left of a limited play time by the tournament's own clock; None without a limit.

    Breaks count, stops of the clock do not (T-11, L-05).
    """
    if not tournament.play_time_ms or tournament.started_ms is None:
        return None
    return max(0, tournament.play_time_ms - levels.elapsed_ms(tournament.clock(), now_ms))
