"""Decks of other sizes: a variant's own cards are shuffled, drawn for the button and dealt."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from tables.dealer import director
from tables.engine import ranking
from tables.engine.cards import DECK
from tables.engine.variants import VARIANTS, Variant
from tables.models import Hand, Seat
from tables.records import stored
from tables.store import keys
from tables.workers import advance, recovery
from tests.redis_answers import events_of
from tests.tables import playing

SHORT_DECK = Variant("short_deck", VARIANTS["holdem"].streets, 10, ranking.any_five, deck=DECK[16:])


class ShortDeckGame(playing.LastOneWins):
    """Hold'em with the 36 cards from the six up."""

    variant = "short_deck"


@pytest.mark.django_db(transaction=True)
def test_workers_deal_the_deck_of_the_variant(room: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, SHORT_DECK.name, SHORT_DECK)
    monkeypatch.setitem(director._directors, SHORT_DECK.name, ShortDeckGame())
    chance = random.Random(4)
    table = playing.sit_down([900] * 6, played_by=SHORT_DECK.name)
    recovery.open_tables(room, [table.pk])
    state = playing.run(room, table.pk)
    for number in range(400):
        if state.phase == "closed":
            break
        assert state.setup is not None
        assert sorted(state.setup.deck) == sorted(SHORT_DECK.deck)
        playing.send(room, state, chance, number)
        advance.advance(room, table.pk)
        state = playing.run(room, table.pk)
    hands = [stored.decode(bytes(hand.record)) for hand in Hand.objects.order_by("number")]
    assert len(hands) > 2
    assert len({hand.setup.deck for hand in hands}) == len(hands)
    assert {card for hand in hands for card in hand.result.board} <= set(SHORT_DECK.deck)
    assert sum(Seat.objects.values_list("chips", flat=True)) == 6 * 900
    drawn = [line for line in public_events(room, table.pk) if b"button_drawn" in line]
    assert len(drawn) == 1
    assert not any(f'"{rank}{suit}"'.encode() in drawn[0] for rank in "2345" for suit in "cdhs")


def public_events(room: Redis, table: int) -> list[bytes]:
    """Every public event of the table's first epoch."""
    return events_of(room, keys.events(keys.table(table), 1))
