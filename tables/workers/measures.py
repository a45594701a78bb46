"""What is counted and noted of every step of a table; never a card."""

from __future__ import annotations

import structlog

from config import metrics
from tables.dealer.record import HandRecord
from tables.store.fenced import Loaded, Step
from tables.wire.table_events import TimedOut

log = structlog.get_logger(__name__)


def of_step(step: Step) -> None:
    """A step that was committed: its commands, how long they waited, how late a deadline struck."""
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
    """A hand that was brought into PostgreSQL just now."""
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
