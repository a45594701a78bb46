"""A real web process is searched for cards of hands that are not due: its memory and its frames."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.request import urlopen

import pytest
from redis import Redis

from deploy.embedded import ports
from tables.dealer import record
from tables.engine.events import HoleCardsDealt
from tables.history.kept import whole_of
from tables.models import Hand
from tests.tables.gateway.sockets import ORIGIN, Client, wait_for
from tests.tournaments.cardsup.processes import WebProcess
from tests.tournaments.cardsup.scene import DELAY_MS, CardsUpScene


def traces(hand: record.HandRecord) -> re.Pattern[bytes]:
    """Forms in which the deck or a player's cards of a hand lie in a buffer."""
    deck = hand.setup.deck
    groups = [deck[:8], *(event.cards for event in _deals(hand))]
    forms = []
    for cards in groups:
        forms.append(json.dumps(cards).replace(" ", "").encode())
        forms.append(b"".join(b"\xa2" + card.encode() for card in cards))
        if len(cards) > 2:
            forms.append("".join(cards).encode())
    return re.compile(b"|".join(re.escape(form) for form in forms))


def _deals(hand: record.HandRecord) -> list[HoleCardsDealt]:
    events = record.replay(hand.setup, hand.actions)
    return [event for event in events if isinstance(event, HoleCardsDealt)]


@pytest.fixture
def scene(transactional_db: None, room: Redis, broker: Redis) -> CardsUpScene:
    """Three settled hands of a table, with cards that nobody showed."""
    made = CardsUpScene(room, players=3, seats=3, starting_stack=100_000)
    made.play(3)
    return made


def test_no_card_of_a_hand_that_is_not_due_is_in_the_web_process(
    scene: CardsUpScene, tmp_path: Path
) -> None:
    free_port = ports.several({"web": None})["web"]
    web = WebProcess(free_port, tmp_path)
    try:
        client = Client(free_port, {}, ORIGIN, lazy=False)
        streams = [f"cardsup:{scene.tables[0]}", scene.featured, f"table:{scene.tables[0]}"]
        for stream in streams[:2]:
            client.follow(stream)
        first, second, third = (whole_of(hand) for hand in scene.hands())
        for at_ms in range(first.began_ms + DELAY_MS - 500, first.began_ms + DELAY_MS, 100):
            scene.look(at_ms)
        frames = [json.dumps(message) for message in client.heard]
        for hand in (first, second, third):
            assert not _found(web, hand), "a card is in the process before its time"
            assert not any(traces(hand).search(frame.encode()) for frame in frames)
        # The hand that is told is found, the next one is not: the search sees what is there.
        due_ms = first.began_ms + max(DELAY_MS, first.released_ms - first.began_ms)
        scene.look(due_ms)
        told = [event for event in scene.told(streams[0]) if event["type"] == "hole_cards_dealt"]
        client.events(streams[0], len(scene.told(streams[0])))
        assert told and _found(web, first)
        assert not _found(web, third)
        # A leak is planted: a page of this process reads the last hand as releases stored it that
        # hid no cards of finished hands.
        plain = Hand.objects.filter(table=third.table, number=third.hand)
        assert plain.update(record=record.encode(third))
        address = f"http://127.0.0.1:{free_port}/tables/{third.table}/hands/{third.hand}/"

        def leaks() -> bool:
            with urlopen(address, timeout=60) as answer:
                assert answer.status == 200
            return _found(web, third)

        wait_for(leaks)
    finally:
        web.stop()


def _found(web: WebProcess, hand: record.HandRecord) -> bool:
    pattern = traces(hand)
    return any(pattern.search(piece) for piece in web.memory())
