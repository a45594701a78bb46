"""Metrics and log lines of each step of a table; never a card."""

from __future__ import annotations

import logging
from collections import Counter

import structlog

from config import clock, metrics
from tables.dealer.record import HandRecord
from tables.dealer.state import QueueKind, TableState
from tables.fairness.cutting import CutState
from tables.store.fenced import Loaded, Step
from tables.wire.client_commands import CutDeck
from tables.wire.table_events import DeckCut, TimedOut

log = structlog.get_logger(__name__)
_logger = logging.getLogger(__name__)


def of_bell(kind: QueueKind, rung_ms: int) -> None:
    """Measure how long a bell waited for a worker, by the clocks of two machines."""
    metrics.BELL_WAIT_S.labels(kind).observe(max(0, clock.now_ms() - rung_ms) / 1_000)


def of_step(step: Step) -> None:
    """Measure a committed step: its commands, their waiting time, the delay of a deadline."""
    loaded = step.loaded
    decisions: list[str] = []
    for received in loaded.received:
        if not isinstance(received.command, CutDeck):
            decisions.append(received.command.id)
            metrics.DECISIONS.inc()
            metrics.COMMAND_S.observe(max(0, loaded.now_ms - received.at_ms) / 1_000)
    for event in step.events:
        if isinstance(event, DeckCut):
            _of_cut(event, step.state)
    turn = loaded.state.turn
    if turn is not None and any(isinstance(event, TimedOut) for event in step.events):
        metrics.LATENESS_S.observe(max(0, loaded.now_ms - turn.deadline_ms) / 1_000)
    if _logger.isEnabledFor(logging.DEBUG):  # structlog finds out only after all of its work
        log.debug(
            "advanced",
            tournament=loaded.state.game,
            table=loaded.state.table,
            hand=step.state.hand_number,
            commands=decisions,
            events=len(step.events),
        )


def _of_cut(event: DeckCut, dealt: TableState) -> None:
    for state, count in Counter(state for _, state, _ in event.cuts).items():
        metrics.CUTS.labels(CutState(state).name.lower()).inc(count)
    if dealt.called is not None:
        metrics.CUT_WAIT_S.observe(max(0, dealt.began_ms - dealt.called.deal_ms) / 1_000)


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
