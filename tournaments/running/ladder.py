"""Conditions of a standing table, in the order in which the director looks at them.

1. Each rung answers, passes on to the next one (None), or reports that the field has to change.
2. The director climbs the ladder under the lock of the table alone, so that tables do not wait in
   line. Only after a `NeedsChange` it climbs again under the tournament's lock as well: whatever
   changed in between is seen, and the first rung that still needs its change carries it out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.dealer.grants import Answer, Close, Wait
from tables.models import Seat, Table
from tables.wire.table_events import WaitReason
from tables.workers import granted_hands
from tournaments import progress
from tournaments.engine import balancing, lifecycle
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.prizes import satellites
from tournaments.running import (
    deals,
    finishing,
    freezing,
    opening,
    play_time,
    rulings,
    sales,
    settlement,
)
from tournaments.seating import balancer, grants, hand_for_hand, merging, moves, planning, shootout

_WAITS: dict[balancing.WaitReason, WaitReason] = {
    "short": "balancing",
    "alone": "players",
    "final_table": "final_table",
    "no_seat": "balancing",
}

_TOURNAMENT = BuiltOnce(lambda pk: Tournament.objects.filter(pk=pk), ANY_KEY)


@dataclass(frozen=True)
class NeedsChange:
    """A change of the field that comes before the next hand, under the tournament's lock.

    `carry_out` returns whether the field changed; `otherwise` is the answer when it did not.
    """

    carry_out: Callable[[TournamentTransaction], bool]
    otherwise: Answer | None = None


class Question:
    """Request of a locked table for its next hand; `tournament` is given once it is locked, too."""

    def __init__(self, table: Table, hand: int, tournament: Tournament | None = None) -> None:
        self.table = table
        self.hand = hand
        self.boundary = grants.boundary(table)
        if tournament is not None:
            self.tournament = tournament

    @cached_property
    def tournament(self) -> Tournament:
        """Row of the tournament, read without its lock unless it was given."""
        [row] = _TOURNAMENT.rows(self.table.game)
        return row

    @cached_property
    def plan(self) -> balancing.Plan:
        """Balancing plan for the table with its arrivals seated (T-08)."""
        grants.seat_arrivals(self.boundary)
        return planning.plan(self.tournament, self.boundary)

    def grant(self) -> Answer:
        """Grant the hand at the level of the tournament."""
        level = progress.level(self.tournament)
        return grants.grant(self.tournament, self.boundary, self.hand, level)


Step = Answer | NeedsChange | None


def climb(question: Question) -> Answer | NeedsChange:
    """Return the first answer or change of the ladder."""
    for rung in LADDER:
        if (step := rung(question)) is not None:
            return step
    raise AssertionError("the last rung always answers")


def answered(question: Question) -> Step:
    """Answer a closed table, or repeat the answer about a hand that is granted already (T-08)."""
    table, hand = question.table, question.hand
    if table.status == Table.Status.CLOSED:
        # A removal may have closed the table, or ended the tournament, at this boundary.
        question.boundary.removed = rulings.removed(table)
        return Close(departures=question.boundary.departures())
    if granted_hands.was_played(table, hand):
        return Wait(reason="balancing")
    assert hand == table.hand + 1, "a table asks only for the hand after the settled one"
    return granted_hands.stored(table, hand)


def ended(question: Question) -> Step:
    """Wait until a batch of the end or of the cancellation closes the table (T-07, T-12)."""
    if question.tournament.state not in lifecycle.ENDED:
        return None
    return grants.wait(question.boundary, "balancing")


def ruling(question: Question) -> Step:
    """Move or remove entries as the room ruled or their players asked (T-08, T-15, A-04)."""
    if not question.tournament.rulings:
        return None
    if rulings.wait(question.table):
        return NeedsChange(partial(rulings.carry_out, boundary=question.boundary))
    question.boundary.removed = rulings.removed(question.table)
    return None


def chips_due(question: Question) -> Step:
    """Give chips that were bought, close expired offers and merge entries (E-03, E-04, E-05)."""
    tournament, table = question.tournament, question.table
    if tournament.pool is not None and not tournament.several_at_once:
        return None
    is_due = sales.is_due(tournament, table) or bool(merging.due(tournament, table))
    return NeedsChange(partial(_give_chips, table)) if is_due else None


def _give_chips(table: Table, tx: TournamentTransaction) -> bool:
    sales.carry_out(tx, table)
    if tx.tournament.state not in lifecycle.PLAYED:
        return True
    merges = merging.due(tx.tournament, table)
    for entry, into in merges:
        seat = Seat.objects.select_related("table").get(entry=entry)
        merging.absorb(tx, seat, into)
    if merges:
        balancer.changed(tx, {table.pk})
        settlement.review_merges(tx)
    return True


def time_up(question: Question) -> Step:
    """Wait for hands in play when the play time is over, then end the tournament (T-11)."""
    if not question.tournament.time_over:
        return None
    stand = grants.stand(question.boundary, "time_up")
    if planning.in_hand(question.tournament, but=question.table.pk):
        return stand
    return NeedsChange(play_time.end, stand)


def pause(question: Question) -> Step:
    """Stand while the tournament is paused, frozen, or without its ticks (T-05, T-13)."""
    tournament = question.tournament
    if tournament.state in (State.PAUSED, State.FROZEN) or freezing.is_untended(tournament):
        return grants.stand(question.boundary, "paused")
    assert tournament.state == State.RUNNING, "an open table's tournament is running"
    return None


def deal(question: Question) -> Step:
    """Wait while the vote on a deal lasts, in a break too; open or close it (Y-01, Y-03)."""
    proposal = deals.pending(question.tournament)
    if proposal is None:
        return None
    if deals.is_open(proposal, progress.time_ms(question.tournament)):
        return grants.wait(question.boundary, "deal", proposal.until_ms)
    wait = grants.wait(question.boundary, "deal")
    return NeedsChange(partial(deals.go_on, deal=proposal), wait)


def level_break(question: Question) -> Step:
    """Stand while a break lasts (L-05)."""
    until_ms = progress.break_until_ms(question.tournament)
    return None if until_ms is None else grants.stand(question.boundary, "break", until_ms)


def held_seat(question: Question) -> Step:
    """Wait for the re-buy of a held seat, at most to the end of the offer's clock (E-04)."""
    if question.tournament.pool is not None:
        return None
    until_ms = sales.waits_until_ms(question.table)
    return None if until_ms is None else grants.wait(question.boundary, "rebuy", until_ms)


def shootout_round(question: Question) -> Step:
    """Deal until the table has one winner, then wait for the other tables of the round (F-04)."""
    if not question.tournament.format_rules.has_rounds:
        return None
    if len(question.boundary.seats) > 1:
        return question.grant()
    stand = grants.stand(question.boundary, "next_round")
    if not shootout.is_round_over(question.tournament):
        return stand
    return NeedsChange(opening.next_round, stand)


def bubble_round(question: Question) -> Step:
    """Deal one hand per round of hand-for-hand, and wait until every table has played it (T-09)."""
    tournament, boundary = question.tournament, question.boundary
    if not tournament.hand_for_hand:
        return None
    if not tournament.round_open:
        # The first round waits until accepted offers are carried out, which needs a seat (E-07).
        grants.seat_arrivals(boundary)
    wait = grants.wait(boundary, "hand_for_hand")
    if hand_for_hand.may_deal(tournament, question.table):
        grants.seat_arrivals(boundary)
        if len(boundary.seats) > 1:
            return question.grant()
        # After a merge or ruling each table may have one player: no hand will end the round then.
        if not hand_for_hand.is_complete(tournament):
            return grants.wait(boundary, "players")
    elif planning.in_hand(tournament, but=question.table.pk):
        return wait
    return NeedsChange(_complete_round, wait)


def _complete_round(tx: TournamentTransaction) -> bool:
    if satellites.enough(tx.tournament) and finishing.is_over(tx.tournament):
        return _end(tx)
    return hand_for_hand.advance(tx)


def tickets_won(question: Question) -> Step:
    """End a satellite as soon as only winners of tickets are left (K-08)."""
    if not satellites.enough(question.tournament):
        return None
    return NeedsChange(_end)


def _end(tx: TournamentTransaction) -> bool:
    settlement.review_prizes(tx)
    return True


def balance(question: Question) -> Step:
    """Deal in a level field; else move entries, close the table or gather the final one (T-08)."""
    match question.plan:
        case balancing.DealNextHand():
            return question.grant()
        case balancing.DealNoHand(reason):
            return grants.wait(question.boundary, _WAITS[reason])
        case _:
            return NeedsChange(
                partial(_level, question), grants.wait(question.boundary, "final_table")
            )


def _level(question: Question, tx: TournamentTransaction) -> bool:
    plan, left = question.plan, tx.tournament.left
    changed = moves.carry_out(tx, question.boundary, plan)
    if not changed:
        return False
    balancer.changed(tx, changed)
    if tx.tournament.left < left:
        settlement.review_merges(tx)
    if isinstance(plan, balancing.GatherFinalTable):
        tx.wake_all_tables()
    return True


LADDER: tuple[Callable[[Question], Step], ...] = (
    answered,
    ended,
    ruling,
    chips_due,
    time_up,
    pause,
    deal,
    level_break,
    held_seat,
    shootout_round,
    bubble_round,
    tickets_won,
    balance,
)
"""Rungs in order; each counts on those before it having passed."""
