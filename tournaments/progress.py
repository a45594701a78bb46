"""Progress of a tournament: level, breaks, hands, and whether it takes entries."""

from __future__ import annotations

from django.db.models import Max, Q

from config import clock, limits
from tables.models import Table
from tournaments import locks
from tournaments.engine import entries, levels
from tournaments.engine.entries import TournamentProgress
from tournaments.engine.levels import CurrentLevel, Mark
from tournaments.engine.refusals import LevelOver
from tournaments.engine.structure import Break, Level
from tournaments.models import Tournament


def level(tournament: Tournament) -> tuple[int, Level]:
    """Number and stakes of the level last announced; tables play it next (L-04)."""
    items = tournament.levels().items[: max(tournament.told_index, 0) + 1]
    played = [item for item in items if isinstance(item, Level)]
    return len(played), played[-1]


def break_until_ms(tournament: Tournament) -> int | None:
    """Return the end of the break last announced, or None (L-05)."""
    if tournament.told_index < 0:
        return None
    if not isinstance(tournament.levels().items[tournament.told_index], Break):
        return None
    current = position(tournament, tournament.heartbeat_ms or 0)
    return (tournament.heartbeat_ms or 0) + (current.ends_in_ms or 0)


def position(tournament: Tournament, now_ms: int) -> CurrentLevel:
    """Return the clock's position in the structure, a function of the row alone (T-13)."""
    elapsed = levels.elapsed_ms(tournament.clock(), now_ms)
    mark = tournament.mark()
    at_ms = max(elapsed, mark.elapsed_ms)
    return levels.position(tournament.levels(), at_ms, counted(tournament), mark)


def mark_by_hand(tournament: Tournament, step: str, now_ms: int, item: int | None = None) -> Mark:
    """Return the mark of the clock after an organiser's `next_level` or `more_time`.

    Raises LastLevel or LevelByHands, and LevelOver when another `item` is in play than was seen.
    """
    now, structure = position(tournament, now_ms), tournament.levels()
    if item not in (None, now.index):
        raise LevelOver
    elapsed = levels.elapsed_ms(tournament.clock(), now_ms)
    if step == "next_level":
        return levels.ended(structure, now, elapsed, counted(tournament))
    return levels.prolonged(structure, now, elapsed, levels.MORE_TIME_MS)


def counted(tournament: Tournament) -> int:
    """Return the hands played, where a level ends by them; else those of the stored mark."""
    by_hands = any(item.lasts_hands for item in tournament.levels().levels)
    return hands_played(tournament) if by_hands else tournament.mark().hands


def outage_since_ms(tournament: Tournament, now_ms: int) -> int | None:
    """Return the time of the last tick if it is so long ago that it counts as an outage (T-13)."""
    last_ms = tournament.heartbeat_ms or now_ms
    return last_ms if now_ms - last_ms > limits.TOURNAMENT_GAP_MS else None


def time_ms(tournament: Tournament) -> int:
    """Return the time by which clock, sales and votes go: in an outage that of the tick before it.

    The next tick charges the outage; what stops the clock or ends a sale meanwhile must not count
    it (T-13).
    """
    now_ms = clock.database_now_ms()
    return outage_since_ms(tournament, now_ms) or now_ms


def reached(tournament: Tournament) -> TournamentProgress:
    """Progress of a running tournament as far as sales depend on it.

    A break belongs to the level after it: sales that last through a level end with the level.
    """
    number = level(tournament)[0]
    return TournamentProgress(
        level=number + (break_until_ms(tournament) is not None),
        elapsed_ms=levels.elapsed_ms(tournament.clock(), time_ms(tournament)),
        left=tournament.left,
        somebody_out=tournament.left < tournament.entrants,
        hand_for_hand=tournament.hand_for_hand,
    )


def may_enter(tournament: Tournament) -> bool:
    """Return whether late registration is open now (E-01)."""
    return tournament.entries_open and entries.entries_open(tournament.late, reached(tournament))


def period_lasts(tournament: Tournament, at: TournamentProgress) -> bool:
    """Return whether the re-buy period lasts; hand-for-hand ends it at the latest (E-04, E-07)."""
    rebuys = tournament.rebuys
    return rebuys is not None and entries.rebuys_open(rebuys, at)


def hands_played(tournament: Tournament) -> int:
    """Return the most hands played by any table, including tables before the final one (L-01)."""
    is_open = Q(status=Table.Status.OPEN)
    rows = Table.objects.filter(director=locks.DIRECTOR, game=tournament.pk)
    most = rows.aggregate(
        closed=Max("hand", default=0, filter=~is_open),
        still_open=Max("hand", default=0, filter=is_open),
    )
    if tournament.format_rules.has_rounds:  # each round of a shootout counts its own hands (F-04)
        return levels.hands_played(closed=0, still_open=most["still_open"], gathered=False)
    return levels.hands_played(**most, gathered=tournament.final_table)


def play_ends_in_ms(tournament: Tournament, now_ms: int) -> int | None:
    """Ms left of a limited play time on the tournament's clock; None without a limit.

    Breaks count, stops of the clock do not (T-11, L-05).
    """
    if not tournament.play_time_ms or tournament.started_ms is None:
        return None
    return max(0, tournament.play_time_ms - levels.elapsed_ms(tournament.clock(), now_ms))
