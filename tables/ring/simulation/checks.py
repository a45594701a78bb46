"""Invariants of simulated ring games: money, seats, blinds, and the rake by a second reckoning."""

from __future__ import annotations

from tables.engine.events import Rake
from tables.engine.state import HandState, Positions
from tables.ring.engine.blinds import DealPlan
from tables.ring.simulation import bank
from tables.ring.simulation.room import SimulatedRingRoom
from tables.ring.simulation.seats import SimulatedRingTable


def check_plan(table: SimulatedRingTable, plan: DealPlan, positions: Positions) -> None:
    """Assert that no seat plays on without a big blind: once in as many hands as there are seats.

    Chips are dealt only to present players with chips. A restart of play forgives what was owed.
    """
    entering = {seat for seat, session in table.sessions.items() if session.at_deal().is_entering}
    free = {seat for seat in plan.dealt if seat in entering and seat not in plan.posts}
    restarted = plan.positions is None or bool(free - {positions.big_blind})
    for seat in plan.dealt:
        session = table.sessions[seat]
        assert session.chips > 0 and session.absent_since_ms is None, "an absent seat is dealt in"
        posts = {post.kind for post in plan.posts.get(seat, ())}
        session.since_big += 1
        if restarted or seat == positions.big_blind or "big_blind" in posts:
            session.since_big = 0
        assert not table.terms.blinds or session.since_big <= table.terms.seats_max, (
            f"seat {seat} played {session.since_big} hands without a big blind"
        )


def expected_rake(state: HandState, rake: Rake | None) -> int:
    """Return the rake of a hand from the chips that its seats put in, without pots and awards."""
    if rake is None or (rake.no_flop_no_drop and not state.board):
        return 0
    pot = state.dead + sum(seat.committed for seat in state.seats)
    due = min(pot * rake.basis_points // 10_000, rake.maximum)
    return due if due >= rake.minimum else 0


def check_table(run: SimulatedRingRoom, table: SimulatedRingTable) -> None:
    """Assert that the account of a table has exactly its chips."""
    held, chips = run.bank.balances[bank.ring(table.number)], table.chips()
    assert held == chips, f"table {table.number}: {chips} chips for {held} in its account"
    players = [session.player for session in table.sessions.values()]
    assert len(set(players)) == len(players), "a player sits twice at one table"
    assert all(session.chips >= 0 for session in table.sessions.values()), "a seat owes chips"


def check_books(run: SimulatedRingRoom) -> None:
    """Assert that the ledger sums to zero, and that rake and jackpots are what they should be."""
    sums = run.bank.sums
    assert run.bank.total() == 0, "the ledger does not sum to zero"
    fed = sum(amount for kind, amount in sums.items() if kind.startswith("feed:"))
    booked = sums["rake"] + fed
    assert booked == run.expected_rake, f"{booked} of rake booked, {run.expected_rake} expected"
    assert booked == run.attributed, f"{run.attributed} of {booked} rake attributed to players"
    for kind, expected in run.expected_feed.items():
        pool = run.bank.balances[bank.jackpot(kind)]
        assert sums[f"feed:{kind}"] == expected, f"{kind} was fed wrongly"
        left = expected - sums[f"paid:{kind}"] - sums[f"room:{kind}"]
        assert pool == left, f"{kind} has {pool} instead of {left}"
