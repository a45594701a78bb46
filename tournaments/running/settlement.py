"""Settlement of a finished hand: knock-outs, places, prizes and the end of the tournament."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from tables.dealer.record import HandRecord, SeatAfter
from tables.models import Seat, Table
from tournaments.buying import closing, offers
from tournaments.engine import lifecycle
from tournaments.events.buying import PoolFixed
from tournaments.events.client_events import PlayerOut
from tournaments.events.notices import KnockedOut
from tournaments.events.unit_of_work import TournamentTransaction, tournament_transaction
from tournaments.models import Entry, KnockOut, Offer, Ruling, Tournament
from tournaments.prizes import bounties, deal_field, placing, pool
from tournaments.running import batches, finishing
from tournaments.seating import balancer, hand_for_hand


def settle(table: Table, record: HandRecord) -> None:
    """Record the knock-outs of a hand in its transaction; its table is locked (T-07).

    Places and prizes follow at once, in hand-for-hand when the round is complete, and never before
    all buying is closed.
    """
    busted = record.busted()
    assert busted, "only a hand with a knock-out is settled here"
    with tournament_transaction(table.game, savepoint=False) as tx:
        if tx.tournament.state in lifecycle.ENDED:
            return  # its table is still to be closed; the entry has its share, refund or place
        assert tx.tournament.state in lifecycle.PLAYED, "a hand is of a started tournament"
        outs = _knock_out(tx.tournament, table, record, busted)
        held = offers.hold_busted_entries(tx, outs)
        _leave_seats(table, busted, held)
        if gone := [entry for entry in outs if entry.pk not in held]:
            go_out(tx, gone)
        balancer.changed(tx, {table.pk})


def go_out(tx: TournamentTransaction, outs: Sequence[Entry]) -> None:
    """Eliminate entries that can no longer buy: void rulings, collect bounties, place and pay them.

    The entries have no seat and their knock-outs are recorded. Called for knock-outs of a hand,
    offers not taken, disqualified entries and entries that left; the last two give no bounty (T-15,
    A-04).
    """
    tournament = tx.tournament
    if len(outs) == tournament.left:
        outs = _but_the_best(outs)
    tournament.left -= len(outs)
    assert tournament.left >= 1, "at least one entry is left to win"
    ids = [entry.pk for entry in outs]
    out = [entry for entry in outs if entry.state != Entry.State.DISQUALIFIED]
    beaten = [entry.pk for entry in out if not entry.dead_chips]
    Entry.objects.filter(pk__in=[entry.pk for entry in out]).update(
        state=Entry.State.OUT, out_at=timezone.now()
    )
    if tournament.rulings:
        waiting = Ruling.objects.filter(entry__in=ids, state=Ruling.State.OPEN)
        waiting.update(state=Ruling.State.VOID, closed_at=timezone.now())
    bounties.collect(tx, beaten)
    gone = list(Entry.objects.filter(pk__in=ids).order_by("pk"))
    begin_hand_for_hand(tx)
    placed = _place(tx, gone)
    _tell_out(tx, gone, {entry.pk: entry for entry in placed})
    _end_when_over(tx, placed)


def _but_the_best(outs: Sequence[Entry]) -> list[Entry]:
    """Drop the entry knocked out last: it wins when no entry has chips or buys again (T-07).

    Reached only after a disqualification took the last chips out of play (T-15).
    """
    knock_outs = KnockOut.objects.filter(entry__in=outs)
    best = knock_outs.order_by("-order", "-stack", "button_distance", "pk")[0]
    return [entry for entry in outs if entry.pk != best.entry_id]


def review_merges(tx: TournamentTransaction) -> None:
    """Begin hand-for-hand where merges left few enough entries, and give their places (T-09)."""
    begin_hand_for_hand(tx)
    review_prizes(tx)


def review_prizes(tx: TournamentTransaction) -> None:
    """Close expired sales, then give and pay the places that waited for them."""
    _end_when_over(tx, _place(tx))


def place_next(tx: TournamentTransaction) -> bool:
    """Give the next places that waited for the end of sales; return whether more are left."""
    if not is_placing(tx.tournament):
        return False
    review_prizes(tx)
    return is_placing(tx.tournament)


def is_placing(tournament: Tournament) -> bool:
    """Return whether places that waited for the end of sales are left to give (E-07).

    Those of an open round of hand-for-hand wait for its end (T-09).
    """
    if tournament.pool is None or tournament.round_open:
        return False
    return placing.are_waiting(tournament)


def begin_hand_for_hand(tx: TournamentTransaction) -> None:
    """Begin hand-for-hand where few enough entries are left to play on (T-09)."""
    if not finishing.is_over(tx.tournament):
        hand_for_hand.review_hand_for_hand(tx)


def fix_pool(tx: TournamentTransaction) -> None:
    """Fix pool and prizes once nothing is sold any more (E-07)."""
    tournament = tx.tournament
    pool.fix(tx)
    assert tournament.pool is not None
    event = PoolFixed(tournament.entrants, tournament.pool, tuple(tournament.prizes))
    tx.announce(event)


def _place(tx: TournamentTransaction, gone: Sequence[Entry] = ()) -> list[Entry]:
    """Give the certain places and pay them, those of entries that go out now at once.

    Those that waited for the end of sales may be a whole field, whose places ticks give. At the end
    all get theirs, which are paid by `finish`.
    """
    tournament = tx.tournament
    now = [entry.pk for entry in gone]
    is_over = finishing.is_over(tournament)
    if tournament.pool is None:
        closing.close_ended_sales(tx)
        if is_over:
            closing.stop(tx)
            offers.withdraw(tx)
        if is_over or not closing.sells(tournament):
            fix_pool(tx)
            is_over = is_over or finishing.is_over(tournament)
            if not is_over:
                # The last sales may have brought the money closer without a knock-out.
                begin_hand_for_hand(tx)
                deal_field.tell_pool_fixed(tx)
    if tournament.pool is None or (tournament.round_open and not is_over):
        return []
    if is_over:
        return finishing.place_all(tx, now)
    # With several entries at once, one that waits for the chips of another may go out later.
    if tournament.several_at_once or not placing.are_waiting(tournament, batches.ENTRIES):
        placed = placing.place(tx, now)
    else:
        if gone:
            placed = placing.place_out(tx, gone)
        else:
            placed = placing.place_first(tx, batches.LOOKED_AT, batches.ENTRIES)
        tx.wake(batches.NEXT_MS)
    placing.pay(tx, placed)
    return placed


def _end_when_over(tx: TournamentTransaction, placed: list[Entry]) -> None:
    """Finish when `_place` placed everybody left, the winner first.

    Tables deal and settle hands meanwhile, so that asking `is_over` again may give another answer.
    """
    if placed and placed[0].state == Entry.State.WON:
        finishing.finish(tx, placed[0])


def _knock_out(
    tournament: Tournament, table: Table, record: HandRecord, busted: tuple[SeatAfter, ...]
) -> list[Entry]:
    tournament.knocked_out += 1
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
    return list(Entry.objects.filter(pk__in=ids).select_related("user").order_by("pk"))


def _leave_seats(table: Table, busted: tuple[SeatAfter, ...], held: dict[int, Offer]) -> None:
    """Free seats without chips, except those held for a re-buy of a present player (E-04).

    A table waits for the seats it holds, so a seat of an absent player is held only for chips that
    were already requested.
    """
    kept = {
        seat.entry
        for seat in busted
        if (offer := held.get(seat.entry)) is not None
        and offer.kind in (Offer.Kind.REBUY, Offer.Kind.MERGE)
        and (not seat.absent or offer.state == Offer.State.ACCEPTED)
    }
    leaving = [seat.entry for seat in busted if seat.entry not in kept]
    gone, _ = Seat.objects.filter(table=table, entry__in=leaving, chips=0).delete()
    assert gone == len(leaving), "every knocked-out entry had a seat without chips"


def _winners(record: HandRecord) -> dict[int, list[tuple[int, int]]]:
    """Entries and amounts that won the last pot of each knocked-out seat, by that seat (N-01)."""
    entries = {seat.seat: seat.entry for seat in record.seats}
    return {
        out.seat: [(entries[share.seat], share.amount) for share in out.winners]
        for out in record.result.busted
    }


def _distance(seat: int, button: int, seats_max: int) -> int:
    """Seats left of the button; 1 is next to it."""
    return (seat - button - 1) % seats_max + 1


def _tell_out(tx: TournamentTransaction, outs: list[Entry], placed: dict[int, Entry]) -> None:
    # A player with a re-entry plays on and gets no notice of being out.
    tournament = tx.tournament
    bought = Offer.objects.filter(entry__in=outs, kind=Offer.Kind.REENTRY, state=Offer.State.DONE)
    again = set(bought.values_list("entry", flat=True))
    for entry in (placed.get(out.pk, out) for out in outs):
        tx.announce(
            PlayerOut(
                entry=entry.pk,
                user=entry.user_id,
                name=entry.name,
                left=tournament.left,
                place=entry.place,
                prize=entry.prize,
            )
        )
        if entry.pk not in again:
            notice = KnockedOut(tournament.pk, tournament.name, entry.place, entry.prize)
            tx.notify(entry.user_id, notice)
