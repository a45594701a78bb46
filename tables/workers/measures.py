"""Metrics and log lines of each step of a table; never a card."""

from __future__ import annotations

import structlog

from config import metrics
from tables.dealer.record import HandRecord
from tables.store.fenced import Loaded, Step
from tables.wire.table_events import TimedOut

log = structlog.get_logger(__name__)


def of_step(step: Step) -> None:
    """Measure a committed step: its commands, their waiting time, the delay of a deadline."""
    loaded = step.loaded
    metrics.DECISIONS.inc(len(loaded.received))
    for received in loaded.received:
        metrics.COMMAND_S.observe(max(0, loaded.now_ms - received.at_ms) / 1_000)
    turn = loaded.state.turn
    if turn is not None and any(isinstance(event, TimedOut) for event in step.events):
        metrics.LATENESS_S.observe(max(0, loaded.now_ms - turn.deadline_ms) / 1_000)
    log.debug(
        "advanced",
        tournament=loaded.state.game,
        table=loaded.state.table,
        hand=step.state.hand_number,
        commands=[received.command.id for received in loaded.received],
        events=len(step.events),
    )


def of_settlement(hand: HandRecord, loaded: Loaded) -> None:
    """Measure a hand that was written to PostgreSQL just now."""
    metrics.SETTLED.inc()
    metrics.SETTLE_S.observe(max(0, loaded.now_ms - hand.ended_ms) / 1_000)
    log.info(
        "hand settled",
        tournament=hand.game,
        table=hand.table,
        hand=hand.hand,
        actions=len(hand.actions),
        out=len(hand.busted()),
    )
