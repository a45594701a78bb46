"""The tick of a tournament: heartbeat, levels, breaks, start, and recovery of unfinished work."""

from __future__ import annotations

import structlog
from django.db import transaction
from django.utils import timezone

from config import clock, limits, redis
from tables.models import Table
from tables.store import fenced
from tables.workers.opening import open_tables
from tournaments import locks, progress, words
from tournaments.engine import bubble, levels, lifecycle
from tournaments.engine.levels import CurrentLevel
from tournaments.engine.structure import stakes_of
from tournaments.events import bells
from tournaments.events import outbox as announcements
from tournaments.events.client_events import BreakBegan, HandsLeft, LevelBegan, Resumed
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Tournament
from tournaments.models.tournament import Start, State
from tournaments.prizes import tickets
from tournaments.refusals import BadSpec, RoomCannotPay
from tournaments.running import deals, freezing, operations, play_time, sales, settlement
from tournaments.schedule import making, targets
from tournaments.seating import balancer
from tournaments.streams import lobby

log = structlog.get_logger(__name__)

OUTAGE = "outage"
"""Reason stored with the level clock while no worker ticked the tournament."""


def tick(tournament_id: int) -> int | None:
    """Do what is due for a tournament; return ms to the next tick, None when it is over.

    All decisions are made from its row under its lock, so a tick may be late, repeated or
    concurrent.
    """
    # 1. Before the lock: events left unpublished, expired tickets, overdue tables (from Redis).
    announcements.publish_rest()
    tickets.expire()
    late = freezing.overdue(tournament_id)
    # 2. One transaction under the tournament's lock decides and writes everything.
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        again_ms = _look(tournament, late)
        lobby.tell_change(tournament)
    # 3. After the commit: repair what a worker that died after its own commit did not do.
    if tournament.state in lifecycle.PLAYED:
        _open_forgotten(tournament)
    if again_ms is None:
        balancer.forget(tournament_id)
        announcements.prune()
    return again_ms


def _look(tournament: Tournament, late: list[int]) -> int | None:
    match tournament.state:
        case State.ANNOUNCED:
            return _look_announced(tournament)
        case State.REGISTERING:
            return _look_registering(tournament)
        case State.RUNNING | State.PAUSED | State.FROZEN:
            return _look_played(tournament, late)
        case _:
            return None


def _look_announced(tournament: Tournament) -> int | None:
    """Open the next of a series when the room can pay; cancel when not opened by the start."""
    if tournament.follows_id is not None and _opens(tournament):
        return 0
    if _starts_in_ms(tournament) > 0:
        return min(_starts_in_ms(tournament), limits.TOURNAMENT_IDLE_MS)
    operations.cancel(tournament.pk, reason=words.NOT_OPENED)
    if tournament.follows_id is not None:
        making.follow(tournament)
    tournament.refresh_from_db()
    return None


def _opens(tournament: Tournament) -> bool:
    """Open the next of a series; False while the room cannot set its promise aside (Z-01).

    Also False for a satellite without a target that starts after it (K-08).
    """
    if tournament.target_id is not None:
        targets.aim(tournament)
        tournament.save(update_fields=["target"])
    try:
        operations.open(tournament.pk, reason="series")
    except (RoomCannotPay, BadSpec) as refusal:
        log.warning("series does not open", tournament=tournament.pk, why=refusal.message)
        return False
    tournament.refresh_from_db()
    return True


def _look_registering(tournament: Tournament) -> int | None:
    """Start at the set time with enough entries, else cancel and refund (T-04)."""
    if tournament.start == Start.SIT_AND_GO:
        if not tournament.is_full:
            return limits.TOURNAMENT_IDLE_MS
    elif _starts_in_ms(tournament) > 0:
        return min(_starts_in_ms(tournament), limits.TOURNAMENT_IDLE_MS)
    if tournament.entrants >= tournament.players_min:
        operations.start(tournament.pk)
        tournament.refresh_from_db()
        return 0
    operations.cancel(tournament.pk, reason=words.TOO_FEW_PLAYERS)
    making.follow(tournament)
    tournament.refresh_from_db()
    return None


def _look_played(tournament: Tournament, late: list[int]) -> int:
    now_ms = clock.database_now_ms()
    outbox = Outbox()
    # 1. Charge an outage before the heartbeat is renewed, else its length is lost.
    _charge_outage(tournament, now_ms, outbox)
    # 2. Freeze or thaw.
    freezing.review(tournament, late, now_ms, outbox)
    # 3. Advance the clock and announce the level.
    tournament.heartbeat_ms = now_ms
    position = progress.position(tournament, now_ms)
    tournament.set_mark(position.began)
    holding = tournament.hand_for_hand
    tournament.set_clock(
        bubble.paced(tournament.clock(), now_ms, holding=holding, on_break=position.is_break)
    )
    if position.index != tournament.told_index:
        _tell_level(tournament, position, now_ms, outbox)
    else:
        _tell_hands(tournament, position.ends_in_hands, outbox)
    # 4. Sales, deals and play time, in this order; each of them may end the tournament.
    if tournament.pool is None:
        _review_sales(tournament, outbox)
    if tournament.state in lifecycle.PLAYED:
        deals.review(tournament, outbox)
    if tournament.state in lifecycle.PLAYED:
        play_time.review(tournament, now_ms, outbox)
    tournament.save()
    # 5. All events last and in one write: money is locked before streams, and streams in one order.
    outbox.write()
    if position.ends_in_ms is None or tournament.stops:
        return limits.TOURNAMENT_TICK_MS
    return max(1, min(limits.TOURNAMENT_TICK_MS, position.ends_in_ms))


def _review_sales(tournament: Tournament, outbox: Outbox) -> None:
    """Close expired sales; then fix the pool and give the places that waited for it (E-07)."""
    sales.expire(tournament, outbox)
    if tournament.state in lifecycle.PLAYED:
        settlement.review(tournament, outbox)


def _charge_outage(tournament: Tournament, now_ms: int, outbox: Outbox) -> None:
    """Treat an outage as a pause since the last heartbeat, so that no level is lost (T-13)."""
    last_ms = tournament.heartbeat_ms or now_ms
    if now_ms - last_ms <= limits.TOURNAMENT_GAP_MS or tournament.stops:
        return
    stood = levels.stop(tournament.clock(), last_ms, OUTAGE)
    tournament.set_clock(levels.go_on(stood, now_ms, OUTAGE))
    # Clients that count the level down read the clock again: the level ends later now.
    outbox.tell(stream_of(tournament.pk), Resumed())


def _tell_level(
    tournament: Tournament, position: CurrentLevel, now_ms: int, outbox: Outbox
) -> None:
    """Announce a level or break; at the end of a break wake all tables together (L-05)."""
    was_break = progress.break_until_ms(tournament) is not None
    tournament.told_index = position.index
    tournament.told_hands = position.ends_in_hands
    limit = tournament.limit
    coming = None if position.next_level is None else stakes_of(position.next_level, limit)
    ends_at_ms = None if position.ends_in_ms is None else now_ms + position.ends_in_ms
    if position.is_break:
        assert ends_at_ms is not None, "a break is never the last item"
        outbox.tell(stream_of(tournament.pk), BreakBegan(ends_at_ms, coming))
    else:
        outbox.tell(
            stream_of(tournament.pk),
            LevelBegan(
                level=position.number,
                stakes=stakes_of(position.level, limit),
                ends_at_ms=ends_at_ms,
                ends_in_hands=position.ends_in_hands,
                break_at_ms=None if position.break_in_ms is None else now_ms + position.break_in_ms,
                next_stakes=coming,
            ),
        )
    if was_break:
        bells.wake_tables_after_commit(tournament.pk)


def _tell_hands(tournament: Tournament, hands: int | None, outbox: Outbox) -> None:
    """Announce the hands left of a level by hands, at most once a tick."""
    if hands is None or hands == tournament.told_hands:
        return
    tournament.told_hands = hands
    outbox.tell(stream_of(tournament.pk), HandsLeft(hands))


def _starts_in_ms(tournament: Tournament) -> int:
    """Ms until the set start; the idle interval for a Sit & Go that no operator has opened."""
    if tournament.starts_at is None:
        return limits.TOURNAMENT_IDLE_MS
    return int((tournament.starts_at - timezone.now()).total_seconds() * 1_000)


def _open_forgotten(tournament: Tournament) -> None:
    """Open tables whose creator died between its commit and writing them to Redis."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN, granted_hand=0
    )
    client = redis.room()
    forgotten = [pk for pk in rows.values_list("pk", flat=True) if fenced.peek(client, pk) is None]
    if forgotten:
        open_tables(forgotten)
