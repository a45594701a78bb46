"""Settle a finished hand in PostgreSQL exactly once, then ask the director for the next one.

A hand is finished when its last card was shown. A decided hand that is still being shown is kept in
PostgreSQL unchanged; its consequences are computed, booked and published at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from django.db import transaction
from msgspec.structs import replace
from redis import Redis

from config import metrics
from tables.dealer import boundary, director, record
from tables.dealer.cuts import take_cuts
from tables.dealer.director import Director
from tables.dealer.grants import Close, RosterSeat
from tables.dealer.record import HandRecord
from tables.dealer.sealed import SealedHand
from tables.dealer.state import BEING_PLAYED, QueueKind, TableState, wake
from tables.models import Hand, Table
from tables.records import hand_months
from tables.seeds import marking
from tables.store import fenced
from tables.wire.client_commands import CutDeck
from tables.wire.table_events import TableEvent
from tables.workers import decided, measures, recovery, sealing, settle_rows, withdrawing

log = structlog.get_logger(__name__)


ATTEMPTS_MAX = 3
"""Attempts to settle one table: a player's command may be committed in between, then retry."""


class Superseded(Exception):
    """PostgreSQL has a newer epoch or another outcome: the state of the table in Redis is void.

    `epoch` is the epoch that PostgreSQL had at the comparison.
    """

    def __init__(self, why: str, *, epoch: int) -> None:
        super().__init__(why)
        self.epoch = epoch


def settle(redis: Redis, table: int) -> QueueKind | None:
    """Do what a table needs between two hands; return the queue that must go on, or None."""
    for _ in range(ATTEMPTS_MAX):
        # 1. Load. A table that Redis lost is restored from PostgreSQL.
        loaded = fenced.load(redis, table)
        if loaded is None:
            recovery.restore(redis, table)
            return None
        # A table that a process without keys closed: its undealt decks are opened here.
        if loaded.state.phase == "closed":
            withdrawing.open_left(redis, loaded)
            return None
        # 2. Players who folded may be free while their hand goes on.
        if loaded.state.frees_folded and loaded.state.phase in BEING_PLAYED:
            _free_folded(loaded.state)
        if loaded.state.phase not in ("run_out", "finished", "boundary"):
            return _at_once(loaded, loaded.state)
        # 3. Seal the deck of the first hand in this epoch: the seal is committed before its row is
        #    written, and the row before anybody may ask for the hand. A research room seals none.
        if _lacks_deck(loaded):
            fenced.commit(redis, loaded, _with_next_deck(loaded), (), drained=0)
            continue
        # 4. Write PostgreSQL first, Redis second: after a crash in between the step is repeated,
        #    and finds its hand written already.
        try:
            state, events = _next_step(loaded)
        except Superseded as conflict:
            # A settler that was suspended compares PostgreSQL with a state it loaded long ago.
            # Rebuild only when Redis still holds that state, else load again.
            if not fenced.unchanged(redis, loaded):
                continue
            metrics.FAULTS.labels("table_superseded").inc()
            log.warning("table superseded", table=table, why=str(conflict))
            recovery.rebuild(redis, table, seen_epoch=conflict.epoch)
            return None
        except Table.DoesNotExist as missing:
            _leave_to_adoption(redis, loaded, missing)
            continue
        # 5. Nothing to do: put the wake back.
        if state == loaded.state:
            fenced.rest(redis, loaded)
            return "play" if loaded.drained else None
        # 6. Commit under the fence; a failed fence means a newer state, so load again. Commands
        # stay in the inbox (drained=0): only the play queue answers them.
        stored = fenced.commit(redis, loaded, state, events, drained=0)
        if stored is not None:
            return _at_once(loaded, stored)
    return None


def _leave_to_adoption(redis: Redis, loaded: fenced.Loaded, missing: Table.DoesNotExist) -> None:
    """Raise `missing` unless PostgreSQL lost the table since it was loaded.

    Once that loss is accepted the shard is closed, which raises NotAdopted, or its adoption has
    ended the table.
    """
    fenced.load(redis, loaded.state.table)
    if fenced.unchanged(redis, loaded):
        raise missing


def _at_once(loaded: fenced.Loaded, stored: TableState) -> QueueKind | None:
    due = wake(stored)
    if due is None:
        return None
    if due[0] <= loaded.now_ms:
        return due[1]
    return "play" if loaded.drained else None


def _next_step(loaded: fenced.Loaded) -> tuple[TableState, tuple[TableEvent, ...]]:
    state = loaded.state
    if state.run_out is None:
        return _between_hands(loaded)
    if state.run_out.kept or not decided.keep(state):
        return state, ()
    return replace(state, run_out=replace(state.run_out, kept=True)), ()


def _between_hands(loaded: fenced.Loaded) -> tuple[TableState, tuple[TableEvent, ...]]:
    state = loaded.state
    if state.phase == "finished":
        if loaded.now_ms < state.due_ms:
            return state, ()  # The bell came early: the result was published only just now.
        hand = record.of(state)
        if settle_hand(hand, state.next_seal, state.course):
            measures.of_settlement(hand, loaded)
        state = boundary.confirm(state)
    if state.has_next_deck and _may_ask(state, loaded.now_ms):
        return _ask(_with_pledges(state, loaded), loaded.now_ms)
    return state, ()


def _with_pledges(state: TableState, loaded: fenced.Loaded) -> TableState:
    """Return a table at its boundary with the pledges that wait in its inbox.

    The grant calls the newest pledge of a seat: the browser that pledged last opens it. The cuts
    stay in the inbox, and have no effect when the next step obeys them again.
    """
    cuts = [(one.user, one.command) for one in loaded.received if isinstance(one.command, CutDeck)]
    return take_cuts(state, cuts) if cuts else state


def _may_ask(state: TableState, now_ms: int) -> bool:
    """Return whether a table at its boundary may ask; a waiting one is rung only after a change."""
    return state.due_ms <= now_ms or state.waiting is not None


def _free_folded(state: TableState) -> None:
    """Let the director free the players who have folded, unless the hand is of an older epoch."""
    row = Table.objects.filter(pk=state.table, epoch=state.epoch, hand=state.hand_number - 1)
    name = row.values_list("director", flat=True).first()
    if name is not None and (seats := state.folded()):
        director.free_folded(name, state.table, state.hand_number, seats)


def _lacks_deck(loaded: fenced.Loaded) -> bool:
    state = loaded.state
    return state.phase == "boundary" and not state.has_next_deck and _may_ask(state, loaded.now_ms)


def _with_next_deck(loaded: fenced.Loaded) -> TableState:
    state = loaded.state
    if marking.deals_by_seed():
        return replace(state, seed=str(marking.seed_of_table(state.table)))
    return sealing.with_next_seal(state, loaded.now_ms)


def settle_hand(hand: HandRecord, next_seal: SealedHand | None = None, course: bytes = b"") -> bool:
    """Write a hand and all its consequences in one transaction; False when it was written before.

    The seal of the next hand is written with them, and the leaf of the hand with its `course`.

    Raises Superseded when the table's row has another epoch, or this hand another outcome, be it
    one that was decided and is still being shown; or when its director disputes its course.
    """
    with transaction.atomic():
        # 1. Lock the game before the table: every writer takes the locks in this order.
        judge = _judge(hand)
        judge.lock(hand.table, hand)
        # 2. Write the hand only over the row of the hand before it, in this epoch. A repeated
        #    settlement stops here and must find this very hand.
        if not settle_rows.write(hand, next_seal, course):
            _require_written_before(hand)
            return False
        # 3. Apply the consequences in the same transaction: both are committed, or neither.
        try:
            judge.settle(hand.table, hand)
        except director.Disputed as why:
            raise Superseded(str(why), epoch=hand.epoch) from why
    return True


def _judge(hand: HandRecord) -> Director:
    """Return the director of a hand's table; raises Superseded if it was decided otherwise."""
    name, kept = settle_rows.director_of(hand)
    # A Redis that was set back may deal or play a hand again before anybody notices.
    if kept is not None and not decided.is_course(kept, hand.setup, hand.actions):
        raise Superseded(f"hand {hand.hand} was decided otherwise", epoch=hand.epoch)
    return director.of(name)


def _require_written_before(hand: HandRecord) -> None:
    row = Table.objects.select_for_update().get(pk=hand.table)
    if row.hand >= hand.hand:
        # The hand that closed its table raised the epoch, so compare the hand before the epoch.
        known = Hand.objects.filter(hand_months.of_table(row), number=hand.hand).first()
        if known is None or known.digest != hand.digest():
            raise Superseded(f"hand {hand.hand} ended otherwise", epoch=row.epoch)
        return
    if row.epoch != hand.epoch:
        raise Superseded(f"epoch {hand.epoch}, not {row.epoch}", epoch=row.epoch)
    raise Superseded(f"hand {hand.hand} after {row.hand}", epoch=row.epoch)


def _ask(state: TableState, now_ms: int) -> tuple[TableState, tuple[TableEvent, ...]]:
    row = settle_rows.standing(state)
    if row.open:
        _compare(state, row)
        if row.choices_differ:
            row = _keep_choices(state)
        if not state.seed:
            _require_seal(state, row)
    answer = director.of(row.director).next(state.table, state.hand_number + 1)
    opened = withdrawing.open_undealt(state) if isinstance(answer, Close) else ()
    roster = None if isinstance(answer, Close) else answer.roster
    if roster is not None and not _chips_agree(state, roster):
        raise Superseded("chips of a seat differ", epoch=row.epoch)
    return boundary.answer(
        state,
        answer,
        now_ms=now_ms,
        call=lambda granted: sealing.call_granted(granted, now_ms),
        opened=opened,
    )


def _compare(state: TableState, row: settle_rows.BoundaryRow) -> None:
    if row.epoch != state.epoch:
        raise Superseded(f"epoch {state.epoch}, not {row.epoch}", epoch=row.epoch)
    if row.hand != state.hand_number:
        raise Superseded(f"hand {state.hand_number}, not {row.hand}", epoch=row.epoch)


def _require_seal(state: TableState, row: settle_rows.BoundaryRow) -> None:
    """Write the row of the next hand's seal if it is not there; raises Superseded for another."""
    kept = state.next_seal
    assert kept is not None, "a hand is asked for before its deck is sealed"
    if row.seal != kept.seal and not (row.seal is None and sealing.keep(state.table, kept)):
        raise Superseded(f"hand {kept.hand} was sealed otherwise", epoch=row.epoch)


def _keep_choices(state: TableState) -> settle_rows.BoundaryRow:
    """Write the players' choices before the director may move the players to other tables."""
    with transaction.atomic():
        row = settle_rows.standing(state, lock=True)
        if row.open:
            _compare(state, row)
            settle_rows.keep_choices(state)
    return row


def _chips_agree(state: TableState, roster: Sequence[RosterSeat]) -> bool:
    here = {seat.entry: seat.chips for seat in state.seats}
    return all(
        here.get(seat.entry, seat.chips) in (seat.chips, seat.chips - seat.bought)
        for seat in roster
    )
