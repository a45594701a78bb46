"""The process of the cards-up streams, killed within the delay: nothing early, nothing lost."""

from __future__ import annotations

import sys
import time
from itertools import islice
from pathlib import Path

import pytest
from django.conf import settings
from redis import Redis

from config import clock
from tables.history.kept import whole_of
from tables.store import keys
from tests.tournaments.cardsup.lateness import ToldHand, spread, told_hands
from tests.tournaments.cardsup.processes import started
from tests.tournaments.cardsup.scene import CardsUpScene

DELAY_MS = 30_000
"""Long enough for a slow machine to play the hands and to start a process."""

PATIENCE_S = 240


@pytest.mark.journey
def test_killed_processes_tell_nothing_early_and_lose_nothing(house: Redis, tmp_path: Path) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    # Shorter than any organiser may choose, so that the test is.
    scene.tournament.cards_up_delay_ms = scene.tournament.cards_up_final_ms = DELAY_MS
    scene.tournament.save()
    stream = f"cardsup:{scene.tables[0]}"
    process = started(tmp_path, "manage.py", "cards_up")
    try:
        scene.play(3)
        hands = [whole_of(hand) for hand in scene.hands()]
        # The process dies within the delay; the next one has only what the servers hold.
        _wait(house, hands[0].began_ms + DELAY_MS // 2)
        assert scene.told(stream) == []
        process.kill()
        process.wait()
        process = started(tmp_path, "manage.py", "cards_up")
        told = _follow(scene, scene.tables[0], len(hands))
    finally:
        process.kill()
        process.wait()
    begun = [event["hand"] for event in scene.told(stream) if event["type"] == "hand_retold"]
    assert begun == [hand.hand for hand in hands]
    sys.stdout.write(f"{spread(told)}\n")


def _wait(redis: Redis, until_ms: int) -> None:
    while clock.redis_now_ms(redis) < until_ms:
        time.sleep(0.02)


def _follow(scene: CardsUpScene, table: int, hands: int) -> list[ToldHand]:
    """Watch the stream of a table until so many hands were told; none of it may come early."""
    stream = str(keys.events(f"cardsup:{table}", settings.SHARDS)).encode()
    watched = told_hands(scene.redis, {stream: table}, time.monotonic() + PATIENCE_S)
    told = list(islice(watched, hands))
    assert len(told) == hands, "hands were lost"
    assert min(min(hand.late_ms) for hand in told) >= 0, "told before it was due"
    return told
