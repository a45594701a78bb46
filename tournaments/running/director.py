"""What a tournament tells its tables between hands: deal, wait, or close."""

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
"""How often one question may change the field before the table asks again."""


class TournamentDirector:
    """Answers for the tables of every tournament (`tables.dealer.director.Director`).

    Locks are taken in one order: the tournament, then tables. Most questions end with the table
    dealing on: they read the tournament without its lock, under the lock of the table alone.
    """

    def lock(self, table: int, record: HandRecord) -> None:
        """A hand that puts somebody out changes the field: the tournament is locked first."""
        if record.busted():
            locks.tournament(record.game)

    def settle(self, table: int, record: HandRecord) -> None:
        """Knock-outs, places, prizes and the end of the tournament, in the hand's transaction."""
        if record.busted():
            settlement.settle(Table.objects.get(pk=table), record)

    def game_name(self, game: int) -> str:
        """Return the name of a tournament; "" when there is none of that number."""
        return Tournament.objects.filter(pk=game).values_list("name", flat=True).first() or ""

    def next(self, table: int, hand: int) -> Answer:
        """Who plays hand number `hand` of a table; the same answer when it was given already."""
        for _ in range(LOOKS_MAX):
            with transaction.atomic():
                row = locks.tables([table])[table]
                said = _at_once(row, hand)
            if said is not None:
                return said
            with transaction.atomic():
                tournament = locks.tournament(row.game)
                row = locks.tables([table])[table]
                said = _changing(tournament, row, hand)
            if said is not None:
                return said
        return Wait(reason="balancing")


def _at_once(table: Table, hand: int) -> Answer | None:
    """The answer when the table alone is concerned; None when the field is to be changed."""
    now = grants.boundary(table)
    if said := _settled(table, hand, now):
        return said
    tournament = Tournament.objects.get(pk=table.game)
    if _changes(tournament, table):
        return None
    if tournament.rulings:
        if rulings.wait(table):
            return None
        now.removed = rulings.removed(table)
    if tournament.time_over:
        in_play = standing.in_hand(tournament, but=table.pk)
        return grants.stand(now, "time_up") if in_play else None
    if said := _standing(tournament, now) or _holding(tournament, now):
        return said
    if deal := deals.pending(tournament):
        return _vote(now, deal)
    if tournament.format == Format.SHOOTOUT:
        return _in_shootout(tournament, now, hand)
    if tournament.hand_for_hand:
        return _in_round(tournament, now, hand)
    if satellites.enough(tournament):
        return None
    grants.seat_arrivals(now)
    return _planned(tournament, now, hand, standing.plan(tournament, now))


def _changing(tournament: Tournament, table: Table, hand: int) -> Answer | None:
    """Look at everything again under the tournament's lock and change the field.

    None when that was done: then the table is looked at once more, after the commit.
    """
    now = grants.boundary(table)
    if said := _settled(table, hand, now):
        return said
    outbox = Outbox()
    if _carried_out(tournament, now, outbox):
        tournament.save()
        outbox.write()
        return None
    if not tournament.time_over and (
        said := _standing(tournament, now) or _holding(tournament, now)
    ):
        return said
    if tournament.time_over:
        said = None if play_time.end(tournament, outbox) else grants.stand(now, "time_up")
    elif deal := deals.pending(tournament):
        said = None if deals.go_on(tournament, deal, outbox) else grants.wait(now, "deal")
    elif tournament.format == Format.SHOOTOUT:
        next_round = shootout.next_round(tournament, outbox)
        said = None if next_round else grants.stand(now, "next_round")
    elif satellites.enough(tournament) and finishing.is_over(tournament):
        settlement.review(tournament, outbox)
        said = None
    elif tournament.hand_for_hand:
        said = (
            None if hand_for_hand.advance(tournament, outbox) else grants.wait(now, "hand_for_hand")
        )
    else:
        said = _level(tournament, now, hand, outbox)
    if said is None:
        tournament.save()
        outbox.write()
    return said


def _carried_out(tournament: Tournament, now: Boundary, outbox: Outbox) -> bool:
    """What was bought or merges here, or was ruled by the room, waited for this boundary."""
    if _changes(tournament, now.table):
        sales.carry_out(tournament, now.table, outbox)
        _merge(tournament, now.table, outbox)
        return True
    return tournament.rulings > 0 and rulings.carry_out(tournament, now, outbox)


def _level(tournament: Tournament, now: Boundary, hand: int, outbox: Outbox) -> Answer | None:
    """Move players, close this table, or gather everybody at the final one (T-08)."""
    grants.seat_arrivals(now)
    plan = standing.plan(tournament, now)
    if said := _planned(tournament, now, hand, plan):
        return said
    left = tournament.left
    changed = moves.carry_out(tournament, now, plan, outbox)
    if not changed:
        return grants.wait(now, "final_table")
    balancer.changed(tournament, changed)
    if tournament.left < left:
        settlement.review(tournament, outbox)
    if isinstance(plan, balancing.GatherFinalTable):
        bells.wake_tables_after_commit(tournament.pk)
    return None


def _settled(table: Table, hand: int, now: Boundary) -> Answer | None:
    """What cannot change any more: the table is closed, or the hand was granted before."""
    if table.status == Table.Status.CLOSED:
        return Close(departures=now.departures())
    if hand <= table.hand:  # whoever asked stood still while others played on
        return Wait(reason="balancing")
    assert hand == table.hand + 1, "a table asks for the hand after the one it settled"
    return grants.stored(table, hand)


def _standing(tournament: Tournament, now: Boundary) -> Answer | None:
    """Why no table of the tournament plays now, if so (L-05)."""
    if tournament.state in _STANDS:
        return grants.stand(now, _STANDS[tournament.state])
    assert tournament.state == State.RUNNING, "an open table belongs to a tournament that runs"
    until_ms = progress.break_until_ms(tournament)
    return None if until_ms is None else grants.stand(now, "break", until_ms)


def _changes(tournament: Tournament, table: Table) -> bool:
    """Whether chips come to a seat here, an offer is over, or entries of a player merge."""
    if tournament.pool is not None and not tournament.several_at_once:
        return False
    return sales.is_due(table) or bool(merging.due(tournament, table))


def _merge(tournament: Tournament, table: Table, outbox: Outbox) -> None:
    """Entries of this table go into others of their players (E-03)."""
    if tournament.state not in lifecycle.PLAYED:
        return
    found = merging.due(tournament, table)
    for entry, into in found:
        merging.absorb(
            tournament, Seat.objects.select_related("table").get(entry=entry), into, outbox
        )
    if found:
        balancer.changed(tournament, {table.pk})
        settlement.review(tournament, outbox)


def _holding(tournament: Tournament, now: Boundary) -> Answer | None:
    """Why a table waits that holds a seat for a re-buy, if so: never beyond the offer's clock."""
    until_ms = None if tournament.pool is not None else sales.waits_until_ms(now.table)
    return None if until_ms is None else grants.wait(now, "rebuy", until_ms)


def _vote(now: Boundary, deal: Deal) -> Answer | None:
    """Stand while everybody votes (Y-03); None when the vote is to be opened or closed."""
    if not deals.is_open(deal, clock.database_now_ms()):
        return None
    return grants.wait(now, "deal", deal.until_ms)


def _in_shootout(tournament: Tournament, now: Boundary, hand: int) -> Answer | None:
    """A table plays on until it has its winner, who waits for those of the others (F-04)."""
    if len(now.seats) > 1:
        return grants.grant(tournament, now, hand, progress.level(tournament))
    return None if shootout.is_round_over(tournament) else grants.stand(now, "next_round")


def _in_round(tournament: Tournament, now: Boundary, hand: int) -> Answer | None:
    """Hand-for-hand: one hand each round, and nobody starts the next alone (T-09)."""
    if hand_for_hand.may_deal(tournament, now.table):
        grants.seat_arrivals(now)
        if len(now.seats) > 1:
            return grants.grant(tournament, now, hand, progress.level(tournament))
        # A merge or a ruling may have left everybody alone: then nobody else ends the round.
        return None if hand_for_hand.is_complete(tournament) else grants.wait(now, "players")
    if standing.in_hand(tournament, but=now.table.pk):
        return grants.wait(now, "hand_for_hand")
    return None


def _planned(
    tournament: Tournament, now: Boundary, hand: int, plan: balancing.Plan
) -> Answer | None:
    """The answer to a plan that moves nobody; None for one that does."""
    match plan:
        case balancing.Play():
            return grants.grant(tournament, now, hand, progress.level(tournament))
        case balancing.Wait(reason):
            return grants.wait(now, _WAITS[reason])
        case _:
            return None
