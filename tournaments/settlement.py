"""What a finished hand means for its tournament: knock-outs, places, prizes and the end."""

from __future__ import annotations

from django.utils import timezone

from tables.models import Seat, Table
from tables.play.record import HandRecord, SeatAfter
from tournaments import balancer, ending, locks, placing, rounds
from tournaments.announcements import Outbox
from tournaments.announcements import tournament as stream_of
from tournaments.announcements import user as notices_of
from tournaments.client_events import KnockedOut, PlayerOut
from tournaments.engine import lifecycle
from tournaments.models import Entry, KnockOut, Tournament


def settle(table: Table, record: HandRecord) -> None:
    """Record who went out in this hand; the tournament and its table are locked (T-07).

    Outside hand-for-hand places and prizes follow at once, in a round when it is complete.
    """
    busted = record.busted()
    assert busted, "nothing else changes a tournament"
    tournament = locks.tournament(table.game)
    assert tournament.state in lifecycle.PLAYED, "hands are settled while a tournament lasts"
    outbox = Outbox()
    outs = _knock_out(tournament, table, record, busted)
    is_over = ending.is_over(tournament)
    if is_over:
        placed = ending.place_all(tournament, outbox)
    else:
        placed = placing.place(tournament, outbox) if not record.round else []
    placing.pay(tournament, placed, outbox)
    _tell_out(tournament, outs, {entry.pk: entry for entry in placed}, outbox)
    if is_over:
        ending.finish(tournament, placed[0], outbox)
    else:
        rounds.review(tournament, outbox)
    balancer.changed(tournament, {table.pk})
    tournament.save()
    outbox.write()


def _knock_out(
    tournament: Tournament, table: Table, record: HandRecord, busted: tuple[SeatAfter, ...]
) -> list[Entry]:
    tournament.knocked_out += 1
    tournament.left -= len(busted)
    assert tournament.left >= 1, "somebody has the chips"
    winners = _winners(record)
    ids = [seat.entry for seat in busted]
    KnockOut.objects.bulk_create(
        KnockOut(
            tournament=tournament,
            entry_id=seat.entry,
            order=tournament.knocked_out,
            round=record.round,
            table=table,
            hand=record.hand,
            stack=seat.chips_before,
            button_distance=_distance(seat.seat, record.setup.positions.button, table.seats_max),
            winners=winners.get(seat.seat, []),
        )
        for seat in busted
    )
    gone, _ = Seat.objects.filter(table=table, entry__in=ids, chips=0).delete()
    assert gone == len(busted), "who is out had a seat and no chips"
    Entry.objects.filter(pk__in=ids).update(state=Entry.State.OUT, out_at=timezone.now())
    return list(Entry.objects.filter(pk__in=ids).order_by("pk"))


def _winners(record: HandRecord) -> dict[int, list[tuple[int, int]]]:
    """Seat that went out -> entries and what each won of the last pot it was in for (N-01)."""
    entries = {seat.seat: seat.entry for seat in record.seats}
    return {
        out.seat: [(entries[share.seat], share.amount) for share in out.winners]
        for out in record.result.busted
    }


def _distance(seat: int, button: int, seats_max: int) -> int:
    """How many seats left of the button, 1 is next to it."""
    return (seat - button - 1) % seats_max + 1


def _tell_out(
    tournament: Tournament, outs: list[Entry], placed: dict[int, Entry], outbox: Outbox
) -> None:
    for entry in (placed.get(out.pk, out) for out in outs):
        outbox.tell(
            stream_of(tournament.pk),
            PlayerOut(
                entry=entry.pk,
                user=entry.user_id,
                name=entry.name,
                left=tournament.left,
                place=entry.place,
                prize=entry.prize,
            ),
        )
        notice = KnockedOut(tournament.pk, tournament.name, entry.place, entry.prize)
        outbox.tell(notices_of(entry.user_id), notice)
