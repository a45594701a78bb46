"""The tick of a tournament: heartbeat, levels, breaks, the start, and what was left behind."""

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
from tournaments.engine.levels import LevelNow
from tournaments.engine.structure import stakes_of
from tournaments.events import bells
from tournaments.events import outbox as announcements
from tournaments.events.client_events import BreakBegan, HandsLeft, LevelBegan, Resumed
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import Tournament
from tournaments.models.tournament import Start, State
from tournaments.prizes import tickets
from tournaments.refusals import BadOffer, RoomCannotPay
from tournaments.running import deals, freezing, operations, play_time, sales, settlement
from tournaments.schedule import making, targets
from tournaments.seating import balancer
from tournaments.streams import lobby

log = structlog.get_logger(__name__)

OUTAGE = "outage"
"""The reason the room gives for a clock that stood because nobody was there to see it go."""


def tick(tournament_id: int) -> int | None:
    """Do what is due for a tournament; when to look again, in ms, or None when it is over.

    Everything is decided under its lock from its row, so a tick may come late, twice or at once
    with another.
    """
    announcements.publish_rest()
    tickets.expire()
    late = freezing.overdue(tournament_id)
    with transaction.atomic():
        tournament = locks.tournament(tournament_id)
        again_ms = _look(tournament, late)
        lobby.tell_change(tournament)
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
    """The next of a series opens when the room can pay for it; never opened in time: cancelled."""
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
    """Open the next of a series; False as long as the room cannot set its promise aside (Z-01).

    Nor does it open when a satellite leads to nothing that starts after it (K-08).
    """
    if tournament.target_id is not None:
        targets.aim(tournament)
        tournament.save(update_fields=["target"])
    try:
        operations.open(tournament.pk, reason="series")
    except (RoomCannotPay, BadOffer) as refusal:
        log.warning("series does not open", tournament=tournament.pk, why=refusal.message)
        return False
    tournament.refresh_from_db()
    return True


def _look_registering(tournament: Tournament) -> int | None:
    """Start when it is time and enough are there, else cancel and refund (T-04)."""
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
    _charge_outage(tournament, now_ms)
    stands = Outbox()
    freezing.review(tournament, late, now_ms, stands)
    tournament.heartbeat_ms = now_ms
    now = progress.position(tournament, now_ms)
    tournament.set_mark(now.began)
    holding = tournament.hand_for_hand
    tournament.set_clock(
        bubble.paced(tournament.clock(), now_ms, holding=holding, on_break=now.is_break)
    )
    if now.index != tournament.told_index:
        _tell_level(tournament, now, now_ms)
    else:
        _tell_hands(tournament, now.ends_in_hands)
    if tournament.pool is None:
        _review_sales(tournament)
    if tournament.state in lifecycle.PLAYED:
        deals.review(tournament)
    if tournament.state in lifecycle.PLAYED:
        play_time.review(tournament, now_ms)
    stands.write()
    tournament.save()
    if now.ends_in_ms is None or tournament.stops:
        return limits.TOURNAMENT_TICK_MS
    return max(1, min(limits.TOURNAMENT_TICK_MS, now.ends_in_ms))


def _review_sales(tournament: Tournament) -> None:
    """Close what is not sold any more; then the pool is fixed and places are given (E-07)."""
    outbox = Outbox()
    sales.expire(tournament, outbox)
    if tournament.state in lifecycle.PLAYED:
        settlement.review(tournament, outbox)
    outbox.write()


def _charge_outage(tournament: Tournament, now_ms: int) -> None:
    """An outage is a pause from the last heartbeat on: nobody loses a level to it (T-13)."""
    last_ms = tournament.heartbeat_ms or now_ms
    if now_ms - last_ms <= limits.TOURNAMENT_GAP_MS or tournament.stops:
        return
    stood = levels.stop(tournament.clock(), last_ms, OUTAGE)
    tournament.set_clock(levels.go_on(stood, now_ms, OUTAGE))
    # Who counts a level down is to look again: it ends later now.
    outbox = Outbox()
    outbox.tell(stream_of(tournament.pk), Resumed())
    outbox.write()


def _tell_level(tournament: Tournament, now: LevelNow, now_ms: int) -> None:
    """Announce a level or break; when a break ends, all tables go on together (L-05)."""
    was_break = progress.break_until_ms(tournament) is not None
    tournament.told_index = now.index
    tournament.told_hands = now.ends_in_hands
    limit = tournament.limit
    coming = None if now.next_level is None else stakes_of(now.next_level, limit)
    ends_at_ms = None if now.ends_in_ms is None else now_ms + now.ends_in_ms
    outbox = Outbox()
    if now.is_break:
        assert ends_at_ms is not None, "a break is never the last item"
        outbox.tell(stream_of(tournament.pk), BreakBegan(ends_at_ms, coming))
    else:
        outbox.tell(
            stream_of(tournament.pk),
            LevelBegan(
                level=now.number,
                stakes=stakes_of(now.level, limit),
                ends_at_ms=ends_at_ms,
                ends_in_hands=now.ends_in_hands,
                break_at_ms=None if now.break_in_ms is None else now_ms + now.break_in_ms,
                next_stakes=coming,
            ),
        )
    outbox.write()
    if was_break:
        bells.wake_tables_after_commit(tournament.pk)


def _tell_hands(tournament: Tournament, hands: int | None) -> None:
    """Tell what is left of a level by hands: once a tick at most, not for each table's hand."""
    if hands is None or hands == tournament.told_hands:
        return
    tournament.told_hands = hands
    outbox = Outbox()
    outbox.tell(stream_of(tournament.pk), HandsLeft(hands))
    outbox.write()


def _starts_in_ms(tournament: Tournament) -> int:
    """Until the set time; a Sit & Go that nobody opened waits for its operator."""
    if tournament.starts_at is None:
        return limits.TOURNAMENT_IDLE_MS
    return int((tournament.starts_at - timezone.now()).total_seconds() * 1_000)


def _open_forgotten(tournament: Tournament) -> None:
    """Open tables whose maker died between its commit and telling Redis of them."""
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament.pk, status=Table.Status.OPEN, granted_hand=0
    )
    client = redis.room()
    forgotten = [pk for pk in rows.values_list("pk", flat=True) if fenced.peek(client, pk) is None]
    if forgotten:
        open_tables(forgotten)
