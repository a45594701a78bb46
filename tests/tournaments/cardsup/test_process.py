"""The process of the cards-up streams, killed within the delay: nothing early, nothing lost."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from redis import Redis

from tables.cardsup import watching
from tables.history.kept import kept_of
from tests.tournaments.cardsup.processes import started
from tests.tournaments.cardsup.scene import CardsUpScene

DELAY_MS = 12_000
PATIENCE_S = 90


def test_killed_processes_tell_nothing_early_and_lose_nothing(house: Redis, tmp_path: Path) -> None:
    scene = CardsUpScene(house, players=3, seats=3, starting_stack=100_000)
    # Shorter than any organiser may choose, so that the test is.
    scene.tournament.cards_up_delay_ms = scene.tournament.cards_up_final_ms = DELAY_MS
    scene.tournament.save()
    stream = f"cardsup:{scene.tables[0]}"
    process = started(tmp_path, "manage.py", "cards_up")
    try:
        scene.play(3)
        hands = [kept_of(hand) for hand in scene.hands()]
        # The process dies within the delay; the next one has only what the servers hold.
        _wait(house, hands[0].began_ms + DELAY_MS // 2)
        assert scene.told(stream) == []
        process.kill()
        process.wait()
        process = started(tmp_path, "manage.py", "cards_up")
        late_ms = _follow(scene, stream, hands[0].began_ms + DELAY_MS, len(hands))
    finally:
        process.kill()
        process.wait()
    begun = [event["hand"] for event in scene.told(stream) if event["type"] == "hand_retold"]
    assert begun == [hand.hand for hand in hands]
    sys.stdout.write(f"first event {late_ms} ms after it was due\n")


def _wait(redis: Redis, until_ms: int) -> None:
    while watching.now_ms(redis) < until_ms:
        time.sleep(0.02)


def _follow(scene: CardsUpScene, stream: str, first_ms: int, hands: int) -> int:
    """Watch a stream until all hands were told; return how late its first event was, in ms."""
    late_ms = -1
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        told = scene.told(stream)
        at_ms = watching.now_ms(scene.redis)
        if told and late_ms < 0:
            late_ms = at_ms - first_ms
            assert at_ms >= first_ms, "told before it was due"
        ended = [event for event in told if event["type"] == "hand_ended"]
        if len(ended) == hands:
            return late_ms
        time.sleep(0.01)
    raise AssertionError("hands were lost")
