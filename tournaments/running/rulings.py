"""Rulings about one entry, carried out at a boundary: move, removal, leave (T-08, T-15, A-04)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from accounts.models import User
from config import entropy
from tables.dealer.grants import Departure
from tables.models import Seat, Table
from tournaments import locks
from tournaments.engine import balancing, lifecycle
from tournaments.engine.lot import drawn
from tournaments.events.rulings import Disqualified
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import AuditRow, Entry, KnockOut, Move, Ruling, Tournament
from tournaments.refusals import CannotMove, NotInPlay
from tournaments.running import deals, settlement
from tournaments.seating import apart, balancer, merging, moves, planning
from tournaments.seating.grants import Boundary

Kind = Ruling.Kind


def disqualify(entry_id: int, *, actor: User | None, reason: str) -> Ruling:
    """Rule that an entry leaves play with its chips as soon as its table stands (T-15).

    Raises NotInPlay.
    """
    with tournament_transaction(_tournament_of(entry_id)) as tx:
        entry = _in_play(tx, entry_id)
        ruling = open_about(entry)
        if ruling is not None and ruling.kind == Kind.DISQUALIFY:
            return ruling
        forget([entry.pk])
        # The vote is on stacks of which one leaves play.
        deals.end_vote(tx)
        return make(tx, entry, Kind.DISQUALIFY, None, actor, reason)


def move(entry_id: int, table_id: int, *, actor: User | None, reason: str) -> Ruling:
    """Rule that an entry goes on at another table as soon as its own table stands (T-08).

    Raises NotInPlay or CannotMove.
    """
    with tournament_transaction(_tournament_of(entry_id)) as tx:
        tournament, entry = tx.tournament, _in_play(tx, entry_id)
        ruling = open_about(entry)
        if ruling is not None and ruling.kind != Kind.MOVE:
            raise NotInPlay
        if ruling is not None and ruling.to_table_id == table_id:
            return ruling
        target = Table.objects.filter(
            pk=table_id, director=locks.DIRECTOR, game=tournament.pk
        ).first()
        refuse_move(tournament, entry, target)
        forget([entry.pk])
        return make(tx, entry, Kind.MOVE, target, actor, reason)


def refuse_move(tournament: Tournament, entry: Entry, target: Table | None) -> None:
    """Raise CannotMove unless the entry may sit down at that table now; nothing is written."""
    if target is None or target.status != Table.Status.OPEN:
        raise CannotMove("no_table")
    if tournament.format_rules.has_rounds:
        raise CannotMove("shootout")
    if tournament.hand_for_hand:
        raise CannotMove("hand_for_hand")
    seat = Seat.objects.filter(entry=entry.pk, table__status=Table.Status.OPEN).first()
    if seat is None:
        raise CannotMove("on_the_way")
    if seat.table_id == target.pk:
        raise CannotMove("same_table")
    if target.pk in apart.taken(tournament, entry):
        raise CannotMove("own_entry")
    if not planning.view_tables([target.pk], stud=False)[0].open_seats:
        raise CannotMove("no_seat")


def forget(entries: Sequence[int]) -> None:
    """Void all open rulings about these entries."""
    rows = Ruling.objects.filter(entry__in=entries, state=Ruling.State.OPEN)
    rows.update(state=Ruling.State.VOID, closed_at=timezone.now())


def wait(table: Table) -> bool:
    """Return whether a ruling about a player seated here can be carried out now."""
    rows = Ruling.objects.filter(tournament=table.game, state=Ruling.State.OPEN)
    return rows.filter(entry__in=_sitting(table)).exists()


def removed(table: Table) -> list[Departure]:
    """Departures of entries disqualified or left at this boundary, for the table's events."""
    done = Ruling.objects.filter(
        entry__knock_out__table=table,
        entry__knock_out__hand=table.hand,
        kind__in=(Kind.DISQUALIFY, Kind.LEAVE),
        state=Ruling.State.DONE,
    )
    return [
        Departure(entry=entry, reason="left" if kind == Kind.LEAVE else "disqualified")
        for entry, kind in done.order_by("pk").values_list("entry", "kind")
    ]


def carry_out(tx: TournamentTransaction, boundary: Boundary) -> bool:
    """Carry out the rulings about entries at a locked, standing table; return whether any were.

    The caller asked `wait` under the locks of tournament and table.
    """
    rows = Ruling.objects.filter(tournament=tx.tournament, state=Ruling.State.OPEN)
    rulings = list(
        rows.filter(entry__in=_sitting(boundary.table)).select_related("entry", "to_table")
    )
    changed: set[int] = set()
    for ruling in rulings:
        if tx.tournament.state not in lifecycle.PLAYED:
            _close(ruling, Ruling.State.VOID)
        elif ruling.kind == Kind.MOVE:
            changed |= _carry_move(tx, boundary, ruling)
        else:
            changed |= _carry_out_of_play(tx, boundary, ruling)
    if changed:
        balancer.changed(tx, changed)
    return bool(rulings)


def _carry_move(tx: TournamentTransaction, boundary: Boundary, ruling: Ruling) -> set[int]:
    """Move an entry to the ruled table; void the ruling when that is not possible any more."""
    try:
        refuse_move(tx.tournament, ruling.entry, ruling.to_table)
    except CannotMove:
        _close(ruling, Ruling.State.VOID)
        return set()
    assert ruling.to_table is not None
    seen = planning.view_tables([ruling.to_table.pk], stud=False)[0]
    seat = drawn(seen.open_seats, entropy.system())
    planned = balancing.PlannedMove(ruling.entry_id, ruling.to_table.pk, seat)
    _close(ruling, Ruling.State.DONE)
    return moves.move(tx, boundary, [planned], reason=Move.Reason.ROOM)


def _carry_out_of_play(tx: TournamentTransaction, boundary: Boundary, ruling: Ruling) -> set[int]:
    seat = Seat.objects.get(table=boundary.table, entry=ruling.entry_id)
    seat.delete()
    _put_out(tx, boundary.table, ruling, seat.chips)
    return {boundary.table.pk}


def _put_out(tx: TournamentTransaction, table: Table, ruling: Ruling, chips: int) -> None:
    """Remove an entry and count its chips as dead; it is placed like a knocked-out entry (T-15).

    With cash value the chips remain the player's money: the pool pays them out (A-04).
    """
    tournament = tx.tournament
    entry, leaves = ruling.entry, ruling.kind == Kind.LEAVE
    chips_lost = chips + merging.end_offers(tx, entry)
    entry.state = Entry.State.OUT if leaves else Entry.State.DISQUALIFIED
    entry.dead_chips = chips_lost
    entry.out_at = timezone.now()
    entry.save(update_fields=["state", "dead_chips", "out_at"])
    if tournament.cash_value:
        rest = tournament.prizes[0] - entry.dead_chips
        assert rest > 0, "the other entries hold the rest of the chips, and the pool is the chips"
        tournament.prizes = [rest, *tournament.prizes[1:]]
    tournament.knocked_out += 1
    KnockOut.objects.create(
        tournament=tournament,
        entry=entry,
        order=tournament.knocked_out,
        round=tournament.round if tournament.round_open else 0,
        table=table,
        hand=table.hand,
        stack=chips,
        button_distance=1,
    )
    _close(ruling, Ruling.State.DONE)
    if not leaves:
        notice = Disqualified(tournament.pk, tournament.name, ruling.reason)
        tx.notify(entry.user_id, notice)
    settlement.go_out(tx, [entry])


def _tournament_of(entry_id: int) -> int:
    known = Entry.objects.filter(pk=entry_id).first()
    if known is None:
        raise NotInPlay
    return known.tournament_id


def _in_play(tx: TournamentTransaction, entry_id: int) -> Entry:
    """Return an entry of the locked tournament; raise NotInPlay unless it has chips."""
    entry = Entry.objects.get(pk=entry_id)
    if tx.tournament.state not in lifecycle.PLAYED or entry.state != Entry.State.SEATED:
        raise NotInPlay
    return entry


def open_about(entry: Entry) -> Ruling | None:
    """Return the open ruling about an entry, or None."""
    return Ruling.objects.filter(entry=entry, state=Ruling.State.OPEN).first()


def make(
    tx: TournamentTransaction,
    entry: Entry,
    kind: str,
    target: Table | None,
    actor: User | None,
    reason: str,
) -> Ruling:
    """Create a ruling with its audit row for an entry without an open one."""
    tournament = tx.tournament
    ruling = Ruling.objects.create(
        tournament=tournament, entry=entry, kind=kind, to_table=target, actor=actor, reason=reason
    )
    AuditRow.objects.create(
        tournament=tournament,
        actor=actor,
        action=kind,
        reason=reason,
        details={"entry": entry.pk, "name": entry.name, "to_table": target and target.number},
    )
    tournament.rulings += 1
    if kind != Kind.MOVE:
        _out_of_a_move(tx, ruling)
    tx.wake_all_tables()
    return ruling


def _out_of_a_move(tx: TournamentTransaction, ruling: Ruling) -> None:
    """Remove an entry on its way between two tables at once: void its move, drop its chips."""
    on_the_way = tx.tournament.moves.filter(entry=ruling.entry, state=Move.State.LEFT).first()
    if on_the_way is None:
        return
    # 1. Lock the table of arrival: it seats arrivals under its own lock, without the tournament's.
    table = locks.table(on_the_way.to_table_id)
    # 2. Read the move again: an entry that has just been seated is removed at its next boundary.
    on_the_way.refresh_from_db()
    if on_the_way.state != Move.State.LEFT:
        return
    on_the_way.state = Move.State.VOID
    on_the_way.save(update_fields=["state"])
    _put_out(tx, table, ruling, on_the_way.chips)
    balancer.changed(tx, {table.pk})


def _sitting(table: Table) -> list[int]:
    """Entries with chips at a table; a chipless seat waits for a re-buy, which decides about it."""
    seats = Seat.objects.filter(table=table, chips__gt=0)
    return list(seats.values_list("entry", flat=True))


def _close(ruling: Ruling, state: str) -> None:
    ruling.state, ruling.closed_at = Ruling.State(state), timezone.now()
    ruling.save(update_fields=["state", "closed_at"])
