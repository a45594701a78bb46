"""What the room rules about a player: another table, or out of the tournament (T-08, T-15)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from config import entropy
from tables.dealer.director import Departure
from tables.models import Seat, Table
from tournaments import locks
from tournaments.engine import balancing, lifecycle
from tournaments.engine.lot import drawn
from tournaments.events import bells
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import user as notices_of
from tournaments.events.rulings import Disqualified
from tournaments.models import AuditRow, Deal, Entry, KnockOut, Move, Ruling, Tournament
from tournaments.models.formats import Format
from tournaments.refusals import CannotMove, NotInPlay
from tournaments.running import settlement
from tournaments.seating import apart, balancer, merging, moves, standing
from tournaments.seating.grants import Boundary

Kind = Ruling.Kind


def disqualify(entry_id: int, *, actor: User | None, reason: str) -> Ruling:
    """An entry leaves play with its chips as soon as its table stands (T-15)."""
    with transaction.atomic():
        tournament, entry = _in_play(entry_id)
        found = open_about(entry)
        if found is not None and found.kind == Kind.DISQUALIFY:
            return found
        forget([entry.pk])
        return make(tournament, entry, Kind.DISQUALIFY, None, actor, reason)


def move(entry_id: int, table_id: int, *, actor: User | None, reason: str) -> Ruling:
    """An entry goes on at another table as soon as its own stands (T-08)."""
    with transaction.atomic():
        tournament, entry = _in_play(entry_id)
        found = open_about(entry)
        if found is not None and found.kind != Kind.MOVE:
            raise NotInPlay
        if found is not None and found.to_table_id == table_id:
            return found
        target = Table.objects.filter(
            pk=table_id, director=locks.DIRECTOR, game=tournament.pk
        ).first()
        refuse_move(tournament, entry, target)
        forget([entry.pk])
        return make(tournament, entry, Kind.MOVE, target, actor, reason)


def refuse_move(tournament: Tournament, entry: Entry, target: Table | None) -> None:
    """Raise CannotMove unless the entry may sit down at that table now; changes nothing."""
    if target is None or target.status != Table.Status.OPEN:
        raise CannotMove("no_table")
    if tournament.format == Format.SHOOTOUT:
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
    if not standing.look([target.pk], stud=False)[0].open_seats:
        raise CannotMove("no_seat")


def forget(entries: Sequence[int]) -> None:
    """What was ruled about these entries and not carried out is void."""
    rows = Ruling.objects.filter(entry__in=entries, state=Ruling.State.OPEN)
    rows.update(state=Ruling.State.VOID, closed_at=timezone.now())


def wait(table: Table) -> bool:
    """Whether something was ruled about who sits at a table."""
    rows = Ruling.objects.filter(tournament=table.game, state=Ruling.State.OPEN)
    if not rows.filter(entry__in=_sitting(table)).exists():
        return False
    # A deal names the stacks it is made from: nobody leaves before it is closed (Y-03).
    return not Deal.objects.filter(tournament=table.game, state__in=Deal.PENDING).exists()


def removed(table: Table) -> list[Departure]:
    """Who was disqualified or left at this boundary of a table, so that it can say so."""
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


def carry_out(tournament: Tournament, now: Boundary, outbox: Outbox) -> bool:
    """Do what was ruled about who sits at a table that stands; whether there was anything.

    The tournament and the table are locked; the caller saves the tournament and the outbox.
    """
    if not wait(now.table):
        return False
    rows = Ruling.objects.filter(tournament=tournament, state=Ruling.State.OPEN)
    found = list(rows.filter(entry__in=_sitting(now.table)).select_related("entry", "to_table"))
    changed: set[int] = set()
    for ruling in found:
        if tournament.state not in lifecycle.PLAYED:
            _close(ruling, Ruling.State.VOID)
        elif ruling.kind == Kind.MOVE:
            changed |= _carry_move(tournament, now, ruling, outbox)
        else:
            changed |= _carry_out_of_play(tournament, now, ruling, outbox)
    if changed:
        balancer.changed(tournament, changed)
    return bool(found)


def _carry_move(tournament: Tournament, now: Boundary, ruling: Ruling, outbox: Outbox) -> set[int]:
    """The move leaves this table; void when the field has changed so that it cannot any more."""
    try:
        refuse_move(tournament, ruling.entry, ruling.to_table)
    except CannotMove:
        _close(ruling, Ruling.State.VOID)
        return set()
    assert ruling.to_table is not None
    seen = standing.look([ruling.to_table.pk], stud=False)[0]
    seat = drawn(seen.open_seats, entropy.system())
    planned = balancing.Move(ruling.entry_id, ruling.to_table.pk, seat)
    _close(ruling, Ruling.State.DONE)
    return moves.move(tournament, now, [planned], outbox, reason=Move.Reason.ROOM)


def _carry_out_of_play(
    tournament: Tournament, now: Boundary, ruling: Ruling, outbox: Outbox
) -> set[int]:
    seat = Seat.objects.get(table=now.table, entry=ruling.entry_id)
    seat.delete()
    _put_out(tournament, now.table, ruling, seat.chips, outbox)
    return {now.table.pk}


def _put_out(
    tournament: Tournament, table: Table, ruling: Ruling, chips: int, outbox: Outbox
) -> None:
    """The chips leave play and are counted as dead; placed like everybody who goes out (T-15).

    Chips with cash value are his money, however he leaves: the pool pays them to him (A-04).
    """
    entry, leaves = ruling.entry, ruling.kind == Kind.LEAVE
    chips_lost = chips + merging.lose(tournament, entry, outbox)
    entry.state = Entry.State.OUT if leaves else Entry.State.DISQUALIFIED
    entry.dead_chips = chips_lost
    entry.out_at = timezone.now()
    entry.save(update_fields=["state", "dead_chips", "out_at"])
    if tournament.cash_value:
        rest = tournament.prizes[0] - entry.dead_chips
        assert rest > 0, "somebody else has chips, and the pool is the chips"
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
        outbox.tell(notices_of(entry.user_id), notice)
    settlement.go_out(tournament, [entry], outbox)


def _in_play(entry_id: int) -> tuple[Tournament, Entry]:
    """The entry with its tournament locked; refused unless it plays with chips."""
    found = Entry.objects.filter(pk=entry_id).first()
    if found is None:
        raise NotInPlay
    tournament = locks.tournament(found.tournament_id)
    entry = Entry.objects.get(pk=entry_id)
    if tournament.state not in lifecycle.PLAYED or entry.state != Entry.State.SEATED:
        raise NotInPlay
    return tournament, entry


def open_about(entry: Entry) -> Ruling | None:
    """What was ruled or asked about an entry and is not carried out yet."""
    return Ruling.objects.filter(entry=entry, state=Ruling.State.OPEN).first()


def make(
    tournament: Tournament,
    entry: Entry,
    kind: str,
    target: Table | None,
    actor: User | None,
    reason: str,
) -> Ruling:
    """Rule about an entry that has no open ruling; the tournament is locked and saved here."""
    made = Ruling.objects.create(
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
    outbox = Outbox()
    if kind != Kind.MOVE:
        _out_of_a_move(tournament, made, outbox)
    tournament.save()
    outbox.write()
    bells.wake_tables_after_commit(tournament.pk)
    return made


def _out_of_a_move(tournament: Tournament, ruling: Ruling, outbox: Outbox) -> None:
    """Who is on the way to a table sits nowhere: the move ends here and the chips with it."""
    on_the_way = tournament.moves.filter(entry=ruling.entry, state=Move.State.LEFT).first()
    if on_the_way is None:
        return
    table = locks.tables([on_the_way.to_table_id])[on_the_way.to_table_id]
    on_the_way.refresh_from_db()
    if on_the_way.state != Move.State.LEFT:
        return
    on_the_way.state = Move.State.VOID
    on_the_way.save(update_fields=["state"])
    _put_out(tournament, table, ruling, on_the_way.chips, outbox)
    balancer.changed(tournament, {table.pk})


def _sitting(table: Table) -> list[int]:
    """Who plays here; a seat without chips is held for a re-buy, and out or in after it."""
    seats = Seat.objects.filter(table=table, chips__gt=0)
    return list(seats.values_list("entry", flat=True))


def _close(ruling: Ruling, state: str) -> None:
    ruling.state, ruling.closed_at = Ruling.State(state), timezone.now()
    ruling.save(update_fields=["state", "closed_at"])
