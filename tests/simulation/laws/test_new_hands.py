"""Hands that a law of the simulated world sees, each once."""

from __future__ import annotations

from redis import Redis

from tables.models import Hand
from tests.simulation.laws.new_hands import NewHands
from tests.tables.conduct.whole_game import played
from tests.tournaments.conftest import house

__all__ = ["house"]


def test_a_hand_with_a_lower_key_that_is_committed_later_is_seen(house: Redis) -> None:
    assert played() > 2
    hands, seen = Hand.objects.all(), NewHands()
    early, late, *_ = hands.order_by("pk").values_list("pk", flat=True)
    assert next(hand.pk for hand in seen.of(hands.exclude(pk=early))) == late
    assert [hand.pk for hand in seen.of(hands)] == [early]
    assert not seen.of(hands)


def test_another_hand_under_the_key_of_a_lost_one_is_seen(house: Redis) -> None:
    assert played() > 2
    hands, seen = Hand.objects.all(), NewHands()
    lost, *others = (hand.pk for hand in seen.of(hands))
    Hand.objects.filter(pk=lost).update(digest="another hand")
    assert [hand.pk for hand in seen.left(hands)] == others
    assert [hand.pk for hand in seen.of(hands)] == [lost]
    assert [hand.pk for hand in seen.left(hands)] == [lost, *others]
