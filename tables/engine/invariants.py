"""What must hold for every hand; a breach is a bug of ours and stops the hand."""

from __future__ import annotations

from tables.engine.positions import clockwise
from tables.engine.state import HandSetup, HandState, Player
from tables.engine.variants import VARIANTS


def check_setup(setup: HandSetup) -> None:
    """A hand can be dealt from this setup."""
    variant = VARIANTS[setup.rules.variant]
    seats = {player.seat for player in setup.players}
    assert 2 <= len(setup.players) <= variant.seats_max, "number of seats"
    assert len(seats) == len(setup.players), "a seat is dealt in once"
    assert min([player.stack for player in setup.players]) > 0, "a seat without chips is dealt in"
    where = setup.positions
    assert len(where.dealt) == len(seats) and seats.issuperset(where.dealt), "not who is dealt in"
    assert where.small_blind is None or where.small_blind in seats
    assert where.big_blind is None or where.big_blind in seats
    assert len(setup.deck) == len(variant.deck), "a card is in the deck once"
    assert set(setup.deck) == set(variant.deck), "the deck is that of the variant"
    undecided = [player for player in setup.players if player.open_loser and player.closed_loser]
    assert not undecided, "a seat shows a beaten hand or mucks it, not both"
    _check_straddles(setup, [player for player in setup.players if player.posts])


def _check_straddles(setup: HandSetup, posting: list[Player]) -> None:
    """Only the seat left of the big blind straddles, for two big blinds (H-09)."""
    for player in posting:
        for post in player.posts:
            if post.kind == "straddle":
                big_blind = setup.positions.big_blind
                assert big_blind is not None, "a straddle needs a big blind"
                left = clockwise(big_blind, setup.positions.dealt)[0]
                assert player.seat == left, "only the seat left of the big blind may straddle"
                double = 2 * setup.rules.stakes.big_blind
                assert post.amount == double, "a straddle is two big blinds"


def check_finished(state: HandState) -> None:
    """Chips are conserved: what the seats began with is what they have, and the rake."""
    assert state.finished
    rake = sum(award.rake for award in state.awarded)
    assert state.raked in (0, rake), "what was taken after the streets is the rake of the pots"
    assert sum(seat.start for seat in state.seats) == rake + sum(seat.stack for seat in state.seats)
    assert all(seat.stack >= 0 for seat in state.seats), "no seat owes chips"
    for award in state.awarded:
        assert award.amount == award.rake + sum(share.amount for share in award.winners)
        assert all(share.amount > 0 for share in award.winners), "a winner wins something"
