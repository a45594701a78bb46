"""Celery tasks of tournaments: each bell carries a member's name and makes one call."""

from __future__ import annotations

import structlog
from celery import shared_task
from celery.signals import worker_ready
from django.db import OperationalError, connections

from accounts.research.mark import told
from accounts.users import pruning
from tables.chat import pruning as chat_pruning
from tables.records import hand_months
from tables.store import keys
from tables.workers import decided
from tournaments.bot_ladder import settled
from tournaments.events import bells, outbox
from tournaments.refusals import NoSuchTournament
from tournaments.running import duplicates, series
from tournaments.running import tick as ticking

log = structlog.get_logger(__name__)


@shared_task(name="tournaments.tick")
def tick(member: str) -> None:
    """Run the tick of a tournament or of the schedule, and set its next wake."""
    tournament_id = keys.number(member)
    # 1. Read the wake before the tick: an earlier wake asked for during it is kept by step 3.
    seen = bells.due(tournament_id)
    if tournament_id == bells.SCHEDULE:
        outbox.publish_rest()  # events of ended tournaments: no other tick publishes them
        schedule_ms = series.tick()
        # A worker may die between opening a tournament from a template and setting its wake.
        bells.ensure_recent()
        pruning.prune_hourly()
        chat_pruning.prune_chat_hourly()
        hand_months.make_hourly()
        decided.prune_hourly()
        duplicates.continue_sets()
        settled.rate_ladders()
        bells.reschedule(tournament_id, schedule_ms, seen)
        return
    # 2. Tick from the locked row alone, so a late, repeated or concurrent bell does no harm.
    try:
        again_ms = ticking.tick(tournament_id)
    except NoSuchTournament:  # Redis has a wake of a tournament that PostgreSQL lost or never had
        again_ms = None
    # 3. Set the next wake, unless another one was asked for since step 1.
    if again_ms is None:
        bells.cancel(tournament_id)
        # The next game of its duplicate set need not wait for the schedule's own time.
        if told.get():
            bells.wake(bells.SCHEDULE)
    else:
        bells.reschedule(tournament_id, again_ms, seen)
    bells.ensure_now_and_then(tournament_id)


@worker_ready.connect
def ensure_wakes(**_: object) -> None:
    """Give every live tournament a wake when a worker starts.

    Closes the database connections afterwards: play workers use PostgreSQL for nothing else. Where
    it is away the tick of the schedule gives them, once it is back.
    """
    try:
        bells.ensure_all()
    except OperationalError as failure:
        log.warning("wakes not ensured: no database", error=str(failure))
    finally:
        connections.close_all()
