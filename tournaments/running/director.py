"""The director of tournament tables: answers between hands with deal, wait or close."""

from __future__ import annotations

from django.db import transaction

from config import clock
from tables.dealer.director import Answer, Close, Wait
from tables.dealer.record import HandRecord
from tables.models import Seat, Table
from tables.wire.table_events import WaitReason
from tournaments import locks, progress
from tournaments.engine import balancing, lifecycle
from tournaments.events import bells
from tournaments.events.outbox import Outbox
from tournaments.models import Deal, Tournament
from tournaments.models.formats import Format
from tournaments.models.tournament import State
from tournaments.prizes import satellites
from tournaments.running import deals, finishing, play_time, rulings, sales, settlement
from tournaments.seating import balancer, grants, hand_for_hand, merging, moves, shootout, standing
from tournaments.seating.grants import Boundary

_STANDS: dict[str, WaitReason] = {
    State.PAUSED: "paused",
    State.FROZEN: "paused",
}
_WAITS: dict[balancing.WaitReason, WaitReason] = {
    "short": "balancing",
    "alone": "players",
    "final_table": "final_table",
    "no_seat": "balancing",
}


LOOKS_MAX = 3
"""Changes of the field that one call of `next` may make before the table asks again."""


class TournamentDirector:
    """Director of the tables of every tournament (`tables.dealer.director.Director`).

    Locks are taken in one order: the tournament, then tables. Most boundaries end with a new hand;
    the director then reads the tournament without its lock, under the lock of the table alone.
    """

    def lock(self, table: int, record: HandRecord) -> None:
        """Lock the tournament before its table when a hand knocks an entry out."""
        if record.busted():
            locks.tournament(record.game)

    def settle(self, table: int, record: HandRecord) -> None:
        """Settle knock-outs, places, prizes and the end in the transaction of the hand."""
        if record.busted():
            settlement.settle(Table.objects.get(pk=table), record)

    def game_name(self, game: int) -> str:
        """Return the name of a tournament; "" when the number is unknown."""
        return Tournament.objects.filter(pk=game).values_list("name", flat=True).first() or ""

    def next(self, table: int, hand: int) -> Answer:
        """Return the answer for hand `hand` of a table; a granted hand gets its stored answer.

        Waits with reason `balancing` after `LOOKS_MAX` changes of the field.
        """
        for _ in range(LOOKS_MAX):
            # 1. Common case: another hand. The table's lock alone, so tables do not wait in line.
            with transaction.atomic():
                row = locks.tables([table])[table]
                answer = _at_once(row, hand)
            if answer is not None:
                return answer
            # 2. The field has to change. The table's lock was released above: the tournament is
            #    always locked before its tables, and waiting for it with a table in hand could
            #    deadlock. Whatever changed in between is seen, as `_changing` checks it all again.
            with transaction.atomic():
                tournament = locks.tournament(row.game)
                row = locks.tables([table])[table]
                answer = _changing(tournament, row, hand)
            if answer is not None:
                return answer
            # 3. The change is committed: step 1 reads the table again.
        return Wait(reason="balancing")


def _at_once(table: Table, hand: int) -> Answer | None:
    """Answer under the table's lock alone; None when the field has to change."""
    boundary = grants.boundary(table)
    if answer := _settled(table, hand, boundary):
        return answer
    tournament = Tournament.objects.get(pk=table.game)
    if _changes(tournament, table):
        return None
    if tournament.rulings:
        if rulings.wait(table):
            return None
        boundary.removed = rulings.removed(table)
    if tournament.time_over:
        in_play = standing.in_hand(tournament, but=table.pk)
        return grants.stand(boundary, "time_up") if in_play else None
    if answer := _standing(tournament, boundary) or _holding(tournament, boundary):
        return answer
    if deal := deals.pending(tournament):
        return _vote(boundary, deal)
    if tournament.format == Format.SHOOTOUT:
        return _in_shootout(tournament, boundary, hand)
    if tournament.hand_for_hand:
        return _in_round(tournament, boundary, hand)
    if satellites.enough(tournament):
        return None
    grants.seat_arrivals(boundary)
    return _planned(tournament, boundary, hand, standing.plan(tournament, boundary))


def _changing(tournament: Tournament, table: Table, hand: int) -> Answer | None:
    """Check every condition again under the tournament's lock and change the field.

    None after a change: the caller reads the table again after the commit.
    """
    boundary = grants.boundary(table)
    if answer := _settled(table, hand, boundary):
        return answer
    outbox = Outbox()
    if _carried_out(tournament, boundary, outbox):
        tournament.save()
        outbox.write()
        return None
    if not tournament.time_over and (
        answer := _standing(tournament, boundary) or _holding(tournament, boundary)
    ):
        return answer
    if tournament.time_over:
        answer = None if play_time.end(tournament, outbox) else grants.stand(boundary, "time_up")
    elif deal := deals.pending(tournament):
        answer = None if deals.go_on(tournament, deal, outbox) else grants.wait(boundary, "deal")
    elif tournament.format == Format.SHOOTOUT:
        next_round = shootout.next_round(tournament, outbox)
        answer = None if next_round else grants.stand(boundary, "next_round")
    elif satellites.enough(tournament) and finishing.is_over(tournament):
        settlement.review(tournament, outbox)
        answer = None
    elif tournament.hand_for_hand:
        answer = (
            None
            if hand_for_hand.advance(tournament, outbox)
            else grants.wait(boundary, "hand_for_hand")
        )
    else:
        answer = _level(tournament, boundary, hand, outbox)
    if answer is None:
        tournament.save()
        outbox.write()
    return answer


def _carried_out(tournament: Tournament, boundary: Boundary, outbox: Outbox) -> bool:
    """Carry out sales, merges and rulings that wait for this boundary; return whether any did."""
    if _changes(tournament, boundary.table):
        sales.carry_out(tournament, boundary.table, outbox)
        _merge(tournament, boundary.table, outbox)
        return True
    return tournament.rulings > 0 and rulings.carry_out(tournament, boundary, outbox)


def _level(tournament: Tournament, boundary: Boundary, hand: int, outbox: Outbox) -> Answer | None:
    """Carry out the balancing plan: move, close this table or gather the final one (T-08)."""
    grants.seat_arrivals(boundary)
    plan = standing.plan(tournament, boundary)
    if answer := _planned(tournament, boundary, hand, plan):
        return answer
    left = tournament.left
    changed = moves.carry_out(tournament, boundary, plan, outbox)
    if not changed:
        return grants.wait(boundary, "final_table")
    balancer.changed(tournament, changed)
    if tournament.left < left:
        settlement.review(tournament, outbox)
    if isinstance(plan, balancing.GatherFinalTable):
        bells.wake_tables_after_commit(tournament.pk)
    return None


def _settled(table: Table, hand: int, boundary: Boundary) -> Answer | None:
    """Answer a closed table, or a hand that is already granted; None for a new hand."""
    if table.status == Table.Status.CLOSED:
        return Close(departures=boundary.departures())
    if hand <= table.hand:  # the asking worker was suspended while another one played this hand
        return Wait(reason="balancing")
    assert hand == table.hand + 1, "a table asks only for the hand after the settled one"
    return grants.stored(table, hand)


def _standing(tournament: Tournament, boundary: Boundary) -> Answer | None:
    """Wait while the tournament is paused, frozen or on a break; None while it plays (L-05)."""
    if tournament.state in _STANDS:
        return grants.stand(boundary, _STANDS[tournament.state])
    assert tournament.state == State.RUNNING, "an open table belongs to a running tournament"
    until_ms = progress.break_until_ms(tournament)
    return None if until_ms is None else grants.stand(boundary, "break", until_ms)


def _changes(tournament: Tournament, table: Table) -> bool:
    """Return whether chips are due at a seat here, an offer has expired, or entries here merge."""
    if tournament.pool is not None and not tournament.several_at_once:
        return False
    return sales.is_due(table) or bool(merging.due(tournament, table))


def _merge(tournament: Tournament, table: Table, outbox: Outbox) -> None:
    """Merge due entries of this table into the other entries of their players (E-03)."""
    if tournament.state not in lifecycle.PLAYED:
        return
    merges = merging.due(tournament, table)
    for entry, into in merges:
        merging.absorb(
            tournament, Seat.objects.select_related("table").get(entry=entry), into, outbox
        )
    if merges:
        balancer.changed(tournament, {table.pk})
        settlement.review(tournament, outbox)


def _holding(tournament: Tournament, boundary: Boundary) -> Answer | None:
    """Wait for the re-buy of a held seat, at most to the end of the offer's clock; else None."""
    until_ms = None if tournament.pool is not None else sales.waits_until_ms(boundary.table)
    return None if until_ms is None else grants.wait(boundary, "rebuy", until_ms)


def _vote(boundary: Boundary, deal: Deal) -> Answer | None:
    """Wait while a deal's vote lasts (Y-03); None when the vote is to be opened or closed."""
    if not deals.is_open(deal, clock.database_now_ms()):
        return None
    return grants.wait(boundary, "deal", deal.until_ms)


def _in_shootout(tournament: Tournament, boundary: Boundary, hand: int) -> Answer | None:
    """Deal until the table has one winner, then wait for the other tables of the round (F-04)."""
    if len(boundary.seats) > 1:
        return grants.grant(tournament, boundary, hand, progress.level(tournament))
    return None if shootout.is_round_over(tournament) else grants.stand(boundary, "next_round")


def _in_round(tournament: Tournament, boundary: Boundary, hand: int) -> Answer | None:
    """Deal one hand per round of hand-for-hand, and wait until every table has played it (T-09)."""
    if hand_for_hand.may_deal(tournament, boundary.table):
        grants.seat_arrivals(boundary)
        if len(boundary.seats) > 1:
            return grants.grant(tournament, boundary, hand, progress.level(tournament))
        # After a merge or ruling each table may have one player: no hand will end the round then.
        return None if hand_for_hand.is_complete(tournament) else grants.wait(boundary, "players")
    if standing.in_hand(tournament, but=boundary.table.pk):
        return grants.wait(boundary, "hand_for_hand")
    return None


def _planned(
    tournament: Tournament, boundary: Boundary, hand: int, plan: balancing.Plan
) -> Answer | None:
    """Return the answer to a plan that moves no entry; None for a plan that moves one."""
    match plan:
        case balancing.DealNextHand():
            return grants.grant(tournament, boundary, hand, progress.level(tournament))
        case balancing.DealNoHand(reason):
            return grants.wait(boundary, _WAITS[reason])
        case _:
            return None
