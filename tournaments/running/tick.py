"""The tick of a tournament: heartbeat, levels, breaks, start, and recovery of unfinished work."""

from __future__ import annotations

import structlog
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.refusals import words_of
from config import clock, limits, redis
from tables.models import Table
from tables.store import fenced
from tables.workers.opening import open_tables
from tournaments import locks, progress, words
from tournaments.buying import closing, offers
from tournaments.engine import bubble, levels, lifecycle
from tournaments.engine.levels import CurrentLevel
from tournaments.engine.structure import stakes_of
from tournaments.events import outbox as announcements
from tournaments.events.client_events import BreakBegan, HandsLeft, LevelBegan, Resumed
from tournaments.events.unit_of_work import (
    TournamentTransaction,
    free_tournament_transaction,
)
from tournaments.models import Tournament
from tournaments.models.tournament import Start, State
from tournaments.prizes import tickets
from tournaments.refusals import BadSpec, ClubCannotPay, RoomCannotPay
from tournaments.running import (
    batches,
    cancelling,
    deals,
    forward,
    freezing,
    opening,
    operations,
    paying,
    play_time,
    sales,
    settlement,
)
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
    #    A row that stays held is left alone: a worker that waited would serve no other tournament.
    with free_tournament_transaction(tournament_id) as tx:
        if tx is None:
            return batches.HELD_MS
        again_ms = _look(tx, late)
        lobby.tell_change(tx)
    # 3. After the commit: repair what a worker that died after its own commit did not do.
    if tx.tournament.state in lifecycle.PLAYED:
        try:
            _open_forgotten(tx.tournament)
        except RedisError as error:
            log.warning("tables not looked for", tournament=tournament_id, error=str(error))
    if again_ms is None:
        balancer.forget(tournament_id)
        freezing.forget(tournament_id)
        announcements.prune()
    return again_ms


def _look(tx: TournamentTransaction, late: list[int] | None) -> int | None:
    match tx.tournament.state:
        case State.ANNOUNCED:
            return _look_announced(tx)
        case State.REGISTERING:
            return _look_registering(tx)
        case State.RUNNING | State.PAUSED | State.FROZEN:
            return _open_next(tx, _look_played(tx, late))
        case State.FINISHED if tx.tournament.paying is not None:
            paying.pay_next(tx)
            return _wind_up_ms(tx.tournament)
        case State.CANCELLED if tx.tournament.refunding:
            cancelling.wind_up(tx)
            return _wind_up_ms(tx.tournament)
        case State.CANCELLED if tx.tournament.sharing is not None:
            forward.wind_up(tx)
            return _wind_up_ms(tx.tournament)
        case _:
            return None


def _open_next(tx: TournamentTransaction, again_ms: int) -> int:
    """Open the next tables of the start if some are not open; return ms to the next tick."""
    if tx.tournament.state in lifecycle.PLAYED and tx.tournament.opening:
        return min(again_ms, opening.open_next(tx))
    return again_ms


def _wind_up_ms(tournament: Tournament) -> int | None:
    """Return ms to the next batch of an ended tournament; None when everything is paid."""
    return batches.NEXT_MS if tournament.is_paying else None


def _look_announced(tx: TournamentTransaction) -> int | None:
    """Open the next of a series when the room can pay; cancel when not opened by the start."""
    tournament = tx.tournament
    if tournament.follows_id is not None and _opens(tx):
        return 0
    if _starts_in_ms(tournament) > 0:
        return min(_starts_in_ms(tournament), limits.TOURNAMENT_IDLE_MS)
    operations.take(tx, "cancel", reason=words.NOT_OPENED)
    if tournament.follows_id is not None:
        making.follow(tournament)
    return _wind_up_ms(tournament)


def _opens(tx: TournamentTransaction) -> bool:
    """Open the next of a series; False while room or club cannot set its promise aside (Z-01).

    Also False for a satellite without a target that starts after it (K-08).
    """
    if tx.tournament.target_id is not None:
        targets.aim(tx.tournament)
    try:
        operations.take(tx, "open", reason="series")
    except (RoomCannotPay, ClubCannotPay, BadSpec) as refusal:
        log.warning("series does not open", tournament=tx.tournament.pk, why=words_of(refusal))
        return False
    return True


def _look_registering(tx: TournamentTransaction) -> int | None:
    """Start at the set time, or when it is full, with enough players, else cancel (T-04)."""
    tournament = tx.tournament
    if tournament.start == Start.SIT_AND_GO:
        if not tournament.is_full:
            return limits.TOURNAMENT_IDLE_MS
    elif _starts_in_ms(tournament) > 0:
        return min(_starts_in_ms(tournament), limits.TOURNAMENT_IDLE_MS)
    if operations.missing_players(tournament) is None:
        operations.take(tx, "start")
        return 0
    operations.take(tx, "cancel", reason=words.TOO_FEW_PLAYERS)
    making.follow(tournament)
    return _wind_up_ms(tournament)


def _look_played(tx: TournamentTransaction, late: list[int] | None) -> int:
    tournament, now_ms = tx.tournament, clock.database_now_ms()
    # 1. Charge an outage before the heartbeat is renewed, else its length is lost.
    _charge_outage(tx, now_ms)
    # 2. Freeze or thaw.
    freezing.review_freeze(tx, late, now_ms)
    # 3. Advance the clock and announce the level.
    tournament.heartbeat_ms = now_ms
    position = progress.position(tournament, now_ms)
    tournament.set_mark(position.began)
    holding = tournament.hand_for_hand
    tournament.set_clock(
        bubble.paced(tournament.clock(), now_ms, holding=holding, on_break=position.is_break)
    )
    if position.index != tournament.told_index:
        _tell_level(tx, position, now_ms)
    else:
        _tell_hands(tx, position.ends_in_hands)
    # 4. Sales, deals and play time, in this order; each of them may end the tournament.
    if tournament.pool is None:
        more = _review_sales(tx)
    else:
        more = settlement.place_next(tx)
    if tournament.state in lifecycle.PLAYED:
        deals.review_vote(tx)
    if tournament.state in lifecycle.PLAYED:
        play_time.review_play_time(tx, now_ms)
    if more:
        return batches.NEXT_MS
    if position.ends_in_ms is None or tournament.stops:
        return limits.TOURNAMENT_TICK_MS
    return max(1, min(limits.TOURNAMENT_TICK_MS, position.ends_in_ms))


def _review_sales(tx: TournamentTransaction) -> bool:
    """Close expired sales; then fix the pool and give the places that waited for it (E-07).

    Return whether another batch is left: of offers to make or to close, or of places.
    """
    closing.offer_rest(tx)
    more = sales.expire(tx)
    if tx.tournament.state in lifecycle.PLAYED:
        settlement.review_prizes(tx)
    return more or tx.tournament.offering is not None or settlement.is_placing(tx.tournament)


def _charge_outage(tx: TournamentTransaction, now_ms: int) -> None:
    """Treat an outage as a pause since the last tick: no level, offer or vote is lost (T-13)."""
    tournament = tx.tournament
    since_ms = progress.outage_since_ms(tournament, now_ms)
    if since_ms is None:
        return
    offers.prolong(tx, since_ms, now_ms)
    deals.prolong(tx, since_ms, now_ms)
    if freezing.is_untended(tournament):
        tx.wake_all_tables()  # they stood meanwhile, and go on together
    if tournament.stops:
        return
    stood = levels.stop(tournament.clock(), since_ms, OUTAGE)
    tournament.set_clock(levels.go_on(stood, now_ms, OUTAGE))
    # Clients that count the level down read the clock again: the level ends later now.
    tx.announce(Resumed())


def _tell_level(tx: TournamentTransaction, position: CurrentLevel, now_ms: int) -> None:
    """Announce a level or break; at the end of a break wake all tables together (L-05)."""
    tournament = tx.tournament
    was_break = progress.break_until_ms(tournament) is not None
    tournament.told_index = position.index
    tournament.told_hands = position.ends_in_hands
    limit = tournament.limit
    coming = None if position.next_level is None else stakes_of(position.next_level, limit)
    ends_at_ms = None if position.ends_in_ms is None else now_ms + position.ends_in_ms
    if position.is_break:
        assert ends_at_ms is not None, "a break is never the last item"
        tx.announce(BreakBegan(ends_at_ms, coming))
    else:
        tx.announce(
            LevelBegan(
                level=position.number,
                stakes=stakes_of(position.level, limit),
                ends_at_ms=ends_at_ms,
                ends_in_hands=position.ends_in_hands,
                break_at_ms=None if position.break_in_ms is None else now_ms + position.break_in_ms,
                next_stakes=coming,
            )
        )
    if was_break:
        tx.wake_all_tables()


def _tell_hands(tx: TournamentTransaction, hands: int | None) -> None:
    """Announce the hands left of a level by hands, at most once a tick."""
    if hands is None or hands == tx.tournament.told_hands:
        return
    tx.tournament.told_hands = hands
    tx.announce(HandsLeft(hands))


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
    rows = rows.filter(number__gt=tournament.opening)  # those below are opened by coming ticks
    tables = list(rows.values_list("pk", flat=True))
    states = fenced.peek_open_all(redis.room(), tables)
    forgotten = [pk for pk, state in zip(tables, states, strict=True) if state is None]
    if forgotten:
        open_tables(forgotten)
