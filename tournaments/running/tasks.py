"""Doorbells of tournaments: a member's name in, one call out."""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_ready
from django.db import connections

from accounts.users import pruning
from tables.store import keys
from tournaments.events import bells, outbox
from tournaments.refusals import NoSuchTournament
from tournaments.running import series
from tournaments.running import tick as ticking


@shared_task(name="tournaments.tick")
def tick(member: str) -> None:
    """Look after a tournament and set its next wake (tournament desk)."""
    tournament_id = keys.number(member)
    seen = bells.due(tournament_id)
    if tournament_id == bells.SCHEDULE:
        outbox.publish_rest()  # of what ended since, nobody else will be woken
        again_ms = series.tick()
        # A worker that died after it opened one from a template had not yet set its wake.
        bells.ensure_all()
        pruning.prune_hourly()
        bells.reschedule(tournament_id, again_ms, seen)
        return
    try:
        again_ms = ticking.tick(tournament_id)
    except NoSuchTournament:  # Redis remembers one that PostgreSQL never had or lost
        again_ms = None
    if again_ms is None:
        bells.cancel(tournament_id)
    else:
        bells.reschedule(tournament_id, again_ms, seen)
    bells.ensure_now_and_then()


@worker_ready.connect
def ensure_wakes(**_: object) -> None:
    """A worker that starts makes sure that no live tournament is without its wake.

    Play workers ask PostgreSQL for nothing else, so none of them keeps a connection.
    """
    try:
        bells.ensure_all()
    finally:
        connections.close_all()
