"""Invariants of every hand; a violation is a fault of the program and stops the hand."""

from __future__ import annotations

from tables.engine.positions import clockwise
from tables.engine.state import HandSetup, HandState, Player
from tables.engine.variants import VARIANTS


def check_setup(setup: HandSetup) -> None:
    """Assert that a hand can be dealt from this setup."""
    variant = VARIANTS[setup.rules.variant]
    seats = {player.seat for player in setup.players}
    assert 2 <= len(setup.players) <= variant.seats_max, "wrong number of seats"
    assert len(seats) == len(setup.players), "a seat is dealt in twice"
    assert min([player.stack for player in setup.players]) > 0, "a seat without chips is dealt in"
    where = setup.positions
    assert len(where.dealt) == len(seats) and seats.issuperset(where.dealt), "wrong seats dealt in"
    assert where.small_blind is None or where.small_blind in seats
    assert where.big_blind is None or where.big_blind in seats
    assert len(setup.deck) == len(variant.deck), "the deck has too few or too many cards"
    assert set(setup.deck) == set(variant.deck), "the deck is not that of the variant"
    undecided = [player for player in setup.players if player.open_loser and player.closed_loser]
    assert not undecided, "a seat both shows and mucks a beaten hand"
    _check_straddles(setup, [player for player in setup.players if player.posts])


def _check_straddles(setup: HandSetup, posting: list[Player]) -> None:
    """Assert that only the seat left of the big blind straddles, for two big blinds (H-09)."""
    for player in posting:
        for post in player.posts:
            if post.kind == "straddle":
                big_blind = setup.positions.big_blind
                assert big_blind is not None, "a straddle without a big blind"
                left = clockwise(big_blind, setup.positions.dealt)[0]
                assert player.seat == left, "a straddle from another seat"
                double = 2 * setup.rules.stakes.big_blind
                assert post.amount == double, "a straddle other than two big blinds"


def check_finished(state: HandState) -> None:
    """Assert that chips are conserved: stacks at the start equal stacks at the end and the rake."""
    assert state.finished
    rake = sum(award.rake for award in state.awarded)
    assert state.raked in (0, rake), "rake of streets and of pots differ"
    assert sum(seat.start for seat in state.seats) == rake + sum(seat.stack for seat in state.seats)
    assert all(seat.stack >= 0 for seat in state.seats), "a seat owes chips"
    for award in state.awarded:
        assert award.amount == award.rake + sum(share.amount for share in award.winners)
        assert all(share.amount > 0 for share in award.winners), "a winner without chips"
