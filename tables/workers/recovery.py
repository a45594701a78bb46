"""Rebuild tables in Redis from PostgreSQL when Redis lost them or was set back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from msgspec.structs import replace
from redis import Redis

from config import entropy
from config.postgres.exclusive import exclusively
from config.redis import as_text, run_id
from tables.dealer import carried
from tables.dealer.state import BEING_PLAYED, TableSeat, TableState
from tables.engine.events import Stakes
from tables.engine.state import Positions
from tables.fairness.leaves import FateReason
from tables.models import Seat, ShardGeneration, Table
from tables.store import epochs, fenced, keys, wakes
from tables.store.deck_keys import NoDeckKey
from tables.wire.table_events import HandVoided, TableClosed, TableEvent
from tables.workers import decided, sealing, void_hands, vouching, withdrawing
from tables.workers.void_hands import Void

log = structlog.get_logger(__name__)

ADOPTION_LOCK = 7_011_001
"""First key of the advisory lock under which one process at a time adopts a shard."""

_restorers: list[Callable[[int], None]] = []


def on_restore(callback: Callable[[int], None]) -> None:
    """Register a callback that restores the wakes of its own members in a shard that was lost."""
    _restorers.append(callback)


def open_tables(redis: Redis, tables: Iterable[int]) -> None:
    """Put new tables, as PostgreSQL has them, into Redis; tables already there stay.

    One that died in its first hand, later than epoch 1, may be among them: its hand is told void.
    """
    rows = list(Table.objects.filter(pk__in=list(tables), status=Table.Status.OPEN))
    _open(redis, rows, {row.pk: Void(void_hands.untold(row)) for row in rows if row.epoch > 1})


def restore(redis: Redis, table: int) -> bool:
    """Restore a table that Redis lost; False when it is there, or closed."""
    row = Table.objects.filter(pk=table).first()
    if row is None or fenced.peek_open(redis, table) is not None:
        return False
    return rebuild(redis, table, seen_epoch=row.epoch, reason=FateReason.MISSING_IN_REDIS)


def rebuild(
    redis: Redis,
    table: int,
    *,
    seen_epoch: int,
    reason: FateReason = FateReason.SUPERSEDED,
) -> bool:
    """Void a table's state in Redis and restart it from its last settled hand, in a new epoch.

    Only while the epoch is still `seen_epoch`, so that two processes do not void each other's
    repair. False when it is not, or when the table is closed: then it ends in Redis as well.
    """
    voided = _bump(redis, [table], reason, seen_epoch=seen_epoch)
    if table in voided:
        _open(redis, Table.objects.filter(pk__in=voided), voided)
        return True
    close_tables(redis, [table])
    return False


def close_tables(redis: Redis, tables: Iterable[int]) -> None:
    """End tables in Redis that are closed in PostgreSQL; a hand in play there is void.

    A table without a state, or with one that nobody can read, ends as PostgreSQL has it. A process
    without the deck key carries the box with the secrets of undealt decks along, and a settle
    worker opens them.
    """
    rows = list(Table.objects.filter(pk__in=list(tables), status=Table.Status.CLOSED))
    stored = fenced.peek_best_all(redis, [row.pk for row in rows])
    for row, found in zip(rows, stored, strict=True):
        state = _state(row, [], now_ms=0) if found is None else found.state
        opened = () if found is None else withdrawing.open_undealt(state)
        carried = None if found is None else withdrawing.carried_box(found)
        last_events: tuple[TableEvent, ...] = (*opened, TableClosed())
        if state.phase in BEING_PLAYED:
            last_events = (HandVoided(hand=state.hand_number), *last_events)
        elif found is None:
            last_events = (*map(HandVoided, void_hands.of(row, None).hands), *last_events)
        voided = next((event.hand for event in last_events if isinstance(event, HandVoided)), None)
        ended = replace(state, epoch=row.epoch, phase="closed", turn=None, seats=(), hand=None)
        following = state.next_seal if carried else None
        ended = replace(ended, setup=None, run_out=None, voided=voided, next_seal=following)
        ended = replace(ended, opened=opened)
        if not epochs.close_at(redis, ended, last_events, carried) and found is None:
            wakes.cancel(redis, keys.table(row.pk))


def adopt(redis: Redis, shard: int) -> bool:
    """Adopt a Redis that came back: fence the tables of the shard, restore the wakes of members.

    Return False when the shard is adopted already, when its hands go on because this run of Redis
    is believed, and while that is not known yet or another process adopts it: then another call
    soon will tell.
    """
    # 1. One process adopts at a time; nobody waits for it, since it may be frozen.
    with exclusively(ADOPTION_LOCK, shard) as is_mine:
        if not is_mine:
            return False
        run, rows = run_id(redis, keys.tag(shard)), Table.objects.filter(status=Table.Status.OPEN)
        ours = [pk for pk in rows.values_list("pk", flat=True) if _shard(pk) == shard]
        known = ShardGeneration.objects.filter(shard=shard).first()
        found, adopted_run = map(_text, redis.mget(keys.generation(shard), keys.run(shard)))
        if known is not None and found == known.generation:
            if adopted_run == run:
                return False
            verdict = vouching.judge(redis, shard, run, ours)
            if verdict == "believed":
                redis.set(keys.run(shard), run)
            if verdict != "void":
                return False
        # 2. Raise the epoch of every open table in PostgreSQL, so that no hand of the old data can
        #    be settled any more.
        generation = entropy.name()
        voided = _bump(redis, ours, FateReason.REDIS_ADOPTED)
        log.warning("redis adopted", shard=shard, tables=len(ours), known=known is not None)
        # 3. Store the tables in Redis under their new epochs. End tables that were closed since: an
        #    older Redis would play their hands on.
        _open(redis, Table.objects.filter(pk__in=voided), voided)
        others = sorted(wakes.tables(redis, shard) - set(ours))
        _raise_forgotten(redis, others)
        close_tables(redis, others)
        _end_unknown(redis, others)
        # 4. Restore the wakes of members without a table (tournaments).
        for callback in _restorers:
            callback(shard)
        # 5. Store the generation and the run, in Redis last: tables are loaded again only when
        #    Redis has them, so a crash before this line repeats the adoption.
        ShardGeneration.objects.update_or_create(shard=shard, defaults={"generation": generation})
        redis.mset({keys.generation(shard): generation, keys.run(shard): run})
    return True


def _raise_forgotten(redis: Redis, tables: list[int]) -> None:
    """Raise the epochs of closed tables that an older Redis plays on.

    It forgot their end: whoever saw that would take another one in the same epoch for the same.
    """
    found = zip(tables, fenced.peek_best_all(redis, tables), strict=True)
    back = [table for table, stored in found if stored is None or stored.state.phase != "closed"]
    Table.objects.filter(pk__in=back, status=Table.Status.CLOSED).update(epoch=F("epoch") + 1)


def _end_unknown(redis: Redis, tables: list[int]) -> None:
    """End the tables that have no row in PostgreSQL: with it all their hands are lost, and void."""
    known = set(Table.objects.filter(pk__in=tables).values_list("pk", flat=True))
    unknown = [table for table in tables if table not in known]
    for table, state in zip(unknown, fenced.peek_open_all(redis, unknown), strict=True):
        log.warning("table without a row ended", table=table)
        if state is None:
            wakes.cancel(redis, keys.table(table))
            continue
        last = 0 if state.phase == "closed" else state.hand_number - (state.phase == "granted")
        voided = map(HandVoided, range(1, last + 1))
        last_events: tuple[TableEvent, ...] = (*voided, TableClosed())
        ended = replace(state, epoch=state.epoch + 1, phase="closed", turn=None, seats=())
        ended = replace(ended, hand=None, setup=None, run_out=None, next_seal=None)
        epochs.close_at(redis, ended, last_events)


def _text(value: bytes | str | None) -> str:
    return "" if value is None else as_text(value)


def _bump(
    redis: Redis, tables: list[int], reason: FateReason, *, seen_epoch: int | None = None
) -> dict[int, Void]:
    """Raise the epochs of open tables; table -> the hands that became void by it.

    One table per transaction: a process that locks several tables must hold the lock of their
    tournament first, and recovery does not. An epoch is never used twice, also when PostgreSQL came
    back with older rows than Redis has.
    """
    voided: dict[int, Void] = {}
    for table, stored in zip(tables, fenced.peek_open_all(redis, tables), strict=True):
        try:
            void = _bump_one(table, stored, reason, seen_epoch)
        except NoDeckKey as missing:
            log.error("table waits for its deck key", table=table, error=str(missing))
            if seen_epoch is None:
                wakes.await_rebuild(redis, keys.table(table))
            continue
        if void is not None:
            voided[table] = void
    return voided


@transaction.atomic
def _bump_one(
    table: int, stored: TableState | None, reason: FateReason, seen_epoch: int | None
) -> Void | None:
    """Raise the epoch of a table; None when it is closed, or no longer at `seen_epoch`.

    Raises NoDeckKey for a decided hand under a key not held here, changing nothing.
    """
    rows = Table.objects.select_for_update().filter(pk=table, status=Table.Status.OPEN)
    if seen_epoch is not None:
        rows = rows.filter(epoch=seen_epoch)
    row = rows.first()
    if row is None:
        return None
    epoch = 1 + max(row.epoch, 0 if stored is None else stored.epoch)
    goes_on = decided.take_over(row, epoch)
    # Of a hand that goes on, later ones may be told and lost with their rows.
    void = void_hands.of(row, stored, but_for=goes_on)
    sealing.end([table], reason, but_for_decided=goes_on)
    row.epoch = epoch
    if not goes_on:
        row.granted_hand, row.grant = row.hand, None
    row.save(update_fields=["epoch", "granted_hand", "grant"])
    # Pledges may have been called, and opened, in the state that is lost: a seed that is known
    # before the next deck is sealed must never cut. Browsers pledge again.
    Seat.objects.filter(table=row).exclude(pledge=b"").update(pledge=b"")
    return void


def _open(redis: Redis, rows: Iterable[Table], voided: Mapping[int, Void]) -> None:
    """Store tables as PostgreSQL has them, with their void hands."""
    for state in _states(redis, rows):
        void = voided.get(state.table, Void(()))
        told = replace(state, voided=void.last)
        epochs.open_at(redis, told, tuple(map(HandVoided, void.hands)))


def _states(redis: Redis, rows: Iterable[Table]) -> list[TableState]:
    tables = list(rows)
    seats: dict[int, list[Seat]] = {}
    for seat in Seat.objects.filter(table__in=tables).order_by("seat"):
        seats.setdefault(seat.table_id, []).append(seat)
    going_on = decided.of(tables)
    times = {shard: wakes.now_ms(redis, shard) for shard in {_shard(row.pk) for row in tables}}
    found = [
        going_on.get(row.pk) or _state(row, seats.get(row.pk, []), times[_shard(row.pk)])
        for row in tables
    ]
    return [replace(state, shift_ms=_shift_ms(redis, state.table)) for state in found]


def _shift_ms(redis: Redis, table: int) -> int:
    return int(redis.hget(keys.beat(_shard(table)), "shift") or 0)


def _state(row: Table, seats: list[Seat], now_ms: int) -> TableState:
    positions = None
    if row.button is not None:
        positions = Positions(
            button=row.button,
            small_blind=row.small_blind,
            big_blind=row.big_blind,
            dealt=(),
            dead_small_blind=row.dead_small_blind,
        )
    return TableState(
        table=row.pk,
        game=row.game,
        number=row.number,
        seats_max=row.seats_max,
        epoch=row.epoch,
        seq=0,
        phase="boundary",
        due_ms=now_ms,
        hand_number=row.hand,
        seats=tuple(_seat(seat) for seat in seats),
        level=0,
        round=row.round,
        stakes=Stakes(small_blind=0, big_blind=0),
        positions=positions,
    )


def _seat(seat: Seat) -> TableSeat:
    return TableSeat(
        seat=seat.seat,
        entry=seat.entry,
        user=seat.user_id,
        name=seat.name,
        newcomer=seat.newcomer,
        **carried.copied(seat),
    )


def _shard(table: int) -> int:
    return keys.shard(keys.table(table), settings.SHARDS)
