"""Answer to a ring table between two hands: the grant of the next hand, a wait, or its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from config import limits
from tables.dealer import carried
from tables.dealer.grants import Answer, Close, Grant, RosterSeat, Wait
from tables.engine.state import Positions
from tables.fairness.leaves import FateReason
from tables.models import Table
from tables.ring.engine.blinds import DealPlan, RingSeat, plan_deal, refusing
from tables.ring.models import RingAuditRow, RingGame, WaitingPlayer
from tables.ring.money import DIRECTOR
from tables.ring.running import offers, terms
from tables.ring.running.boundary import RingBoundary
from tables.ring.sessions.locks import wake_after_commit
from tables.workers import granted_hands, sealing

SEEN_ABSENT_MS = 50
"""Time until the boundary that finds the seat absent of a player who sits out without a hand."""


def answer(boundary: RingBoundary, hand: int, *, untold_ms: int | None) -> Answer:
    """Pass the boundary of a locked table, and grant the next hand when two can play it.

    A jackpot that may be told after `untold_ms` keeps the table open until then (J-01).
    """
    boundary.pass_boundary()
    # Before the table is found empty: who waits for one of its seats keeps it open.
    offers.offer_free_seats(boundary)
    if not boundary.sessions and untold_ms is None and _is_surplus(boundary):
        offers.wait_elsewhere(boundary)
        boundary.write()
        return _close(boundary)
    plan = None
    if not boundary.game.frozen:
        seats = _seats(boundary)
        plan = _plan(boundary, seats)
        refused = plan.refused if plan else _refusing(boundary, seats)
        _sit_out(boundary, refused, granted=plan is not None)
    if plan is not None:
        _note_debts(boundary, plan, hand)
        _note_penalties(boundary, plan, hand)
    boundary.write()
    if plan is None:
        again_ms = limits.STANDING_WAIT_MS if untold_ms is None else untold_ms
        return Wait(
            reason="paused" if boundary.game.frozen else "players",
            # Before the player may be back: the next boundary finds the seat absent.
            again_ms=min(again_ms, SEEN_ABSENT_MS) if boundary.sits_out else again_ms,
            departures=tuple(boundary.departures),
            roster=_roster(boundary, None),
        )
    return _grant(boundary, plan, hand)


def _note_debts(boundary: RingBoundary, plan: DealPlan, hand: int) -> None:
    """Note what every player owes once this hand is settled."""
    for session in boundary.sessions.values():
        owed = plan.owes[session.seat]
        session.after_hand, session.after_dealt = hand, session.seat in plan.dealt
        session.after_owes_small, session.after_owes_big = owed.small, owed.big


def _note_penalties(boundary: RingBoundary, plan: DealPlan, hand: int) -> None:
    """Note the penalties that this hand takes."""
    by_seat = {session.seat: session for session in boundary.sessions.values()}
    boundary.penalties.plan(
        hand, {by_seat[seat].pk: amount for seat, amount in plan.penalties.items()}
    )


def _sit_out(boundary: RingBoundary, refused: Sequence[int], *, granted: bool) -> None:
    """Let players who refuse the big blind sit out, also where nobody is left to play (S4)."""
    by_seat = {session.seat: session for session in boundary.sessions.values()}
    for seat in refused:
        boundary.sit_out(by_seat[seat], granted=granted)


def _refusing(boundary: RingBoundary, seats: Sequence[RingSeat]) -> tuple[int, ...]:
    return refusing(_previous(boundary.table), seats, blinds=boundary.game.has_blinds)


def _seats(boundary: RingBoundary) -> list[RingSeat]:
    return [
        RingSeat(
            seat=seat.seat,
            stack=seat.chips,
            absent=seat.absent,
            is_new=session.is_new,
            posts_now=session.posts_now,
            owes_small=session.owes_small,
            owes_big=session.owes_big,
            straddles=session.straddles,
            penalty=boundary.penalties.of(entry),
            skips_big_blind=session.skips_big_blind,
        )
        for entry, seat in boundary.seats.items()
        for session in [boundary.sessions[entry]]
    ]


def _plan(boundary: RingBoundary, seats: Sequence[RingSeat]) -> DealPlan | None:
    game = boundary.game
    return plan_deal(
        _previous(boundary.table),
        seats,
        game.stakes,
        blinds=game.has_blinds,
        straddle=game.straddle,
        s0_order=game.s0_order,
    )


def _previous(table: Table) -> Positions | None:
    """Return the positions of the last settled hand, None before the first."""
    if table.button is None:
        return None
    return Positions(table.button, table.small_blind, table.big_blind, (), table.dead_small_blind)


def _grant(boundary: RingBoundary, plan: DealPlan, hand: int) -> Grant:
    table, game = boundary.table, boundary.game
    assert hand == table.hand + 1, "hands are granted in order"
    granted = Grant(
        hand=hand,
        rules=terms.rules(game, len(plan.dealt)),
        level=0,
        round=0,
        timing=terms.timing(game),
        roster=_roster(boundary, plan),
        departures=tuple(boundary.departures),
        draw_button=table.button is None,
        button_by_lot=game.button_by_lot,
        newcomers_wait=False,
    )
    granted_hands.keep(table, granted)
    return granted


def _roster(boundary: RingBoundary, plan: DealPlan | None) -> tuple[RosterSeat, ...]:
    seats = sorted(boundary.seats.values(), key=lambda seat: seat.seat)
    return tuple(
        RosterSeat(
            seat=seat.seat,
            entry=seat.entry,
            user=seat.user_id,
            name=seat.name,
            newcomer=seat.newcomer,
            bought=boundary.bought.get(seat.entry, 0),
            dealt=plan is not None and seat.seat in plan.dealt,
            posts=() if plan is None else plan.posts.get(seat.seat, ()),
            sits_out=seat.entry in boundary.sits_out,
            **carried.copied(seat),
        )
        for seat in seats
    )


def _is_surplus(boundary: RingBoundary) -> bool:
    """Return whether an empty table is above the fewest of its game, or the game closes."""
    game = boundary.game
    if game.state != RingGame.State.OPEN:
        return True
    if WaitingPlayer.objects.filter(offered_table=boundary.table).exists():
        return False
    if _stands_for_players(boundary):
        return False
    # Another table of the game may be judged at the same time: one of the two skips this.
    if not RingGame.objects.select_for_update(skip_locked=True).filter(pk=game.pk).exists():
        return False
    rows = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    return rows.count() > game.tables_min


def _stands_for_players(boundary: RingBoundary) -> bool:
    """Return whether the room or the club opened the table a short time ago, by `open_one_more`."""
    since = boundary.now - timedelta(milliseconds=limits.RING_TABLE_STANDS_MS)
    rows = RingAuditRow.objects.filter(game=boundary.game, action="open_table", at__gt=since)
    return rows.filter(details__table=boundary.table.pk).exists()


def _close(boundary: RingBoundary) -> Close:
    table, game = boundary.table, boundary.game
    sealing.end([table.pk], FateReason.CLOSED)
    table.status, table.closed_at = Table.Status.CLOSED, timezone.now()
    table.epoch += 1
    table.save(update_fields=["status", "closed_at", "epoch"])
    wake_after_commit(table.pk)
    if game.state == RingGame.State.CLOSING:
        _close_game(game)
    return Close(departures=tuple(boundary.departures))


def _close_game(game: RingGame) -> None:
    """Close a game that has no open table any more."""
    # Of tables that close at once the last one sees all others closed. The game comes after a table
    # only here: whoever finds a closing game locks no table of it.
    RingGame.objects.select_for_update(no_key=True, of=("self",)).get(pk=game.pk)
    open_tables = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    if not open_tables.exists():
        RingGame.objects.filter(pk=game.pk).update(state=RingGame.State.CLOSED)
