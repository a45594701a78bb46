"""Metrics and log lines of a hand: every id, and never a card."""

from __future__ import annotations

import json
import logging
import random
import re

import pytest
from redis import Redis

from config import clock, logs, metrics
from tables.monitor import condition
from tables.store import fenced, wakes
from tables.store.keys import table as member
from tables.workers import advance, presence, recovery
from tables.workers.presence import Worker
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

CARD = re.compile(r"\b[2-9TJQKA][shdc]\b")


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logs.formatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line in its written form."""
        self.lines.append(self.format(record))


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Every logged line, at every level."""
    kept, root = _Kept(), logging.getLogger()
    before = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    yield kept.lines
    root.removeHandler(kept)
    root.setLevel(before)


def _value(counter: object) -> float:
    return counter._value.get()  # type: ignore[attr-defined,no-any-return]


def test_hands_are_counted_and_logged_with_their_ids_and_without_a_card(
    room: Redis, lines: list[str]
) -> None:
    table = playing.sit_down([1_000] * 4)
    recovery.adopt(room, 0)
    chance, decided, settled = random.Random(5), _value(metrics.DECISIONS), _value(metrics.SETTLED)
    cards: set[str] = set()
    sent = 0
    while _value(metrics.SETTLED) < settled + 3:
        state = playing.run(room, table.pk)
        assert state.setup is not None
        cards |= set(state.setup.deck)
        playing.send(room, state, chance, sent)
        sent += 1
        advance.advance(room, table.pk, chance)
        after = fenced.peek(room, table.pk)
        assert after is not None
        if after.phase == "finished":
            playing.run(room, table.pk)
    assert _value(metrics.DECISIONS) == decided + sent
    own = [line for line in lines if '"table": ' in line]
    facts = [json.loads(line) for line in own]
    hands = [fact for fact in facts if fact["event"] == "hand settled"]
    steps = [fact for fact in facts if fact["event"] == "advanced" and fact["commands"]]
    assert len(hands) >= 3 and {fact["table"] for fact in hands} == {table.pk}
    assert {key for fact in hands for key in ("tournament", "hand")} <= hands[0].keys()
    assert steps[0]["commands"] == ["c0"] and steps[0]["tournament"] == 1
    assert len(cards) == 52, "some card could have leaked"
    assert [line for line in lines if CARD.search(line)] == []


def test_a_table_without_worker_and_a_silent_worker_are_measured(
    room: Redis, broker: Redis
) -> None:
    table = playing.sit_down([1_000] * 3)
    recovery.adopt(room, 0)
    now_ms = clock.redis_now_ms(room)
    presence.note(room, Worker("play0", ("play.0",), now_ms))
    presence.note(room, Worker("play1", ("play.1",), now_ms - 2 * condition.QUIET_MS))
    assert condition.read_condition().stuck == ()
    for _ in range(condition.RINGS_STUCK):
        room.zadd("{0}:wakes", {member(table.pk): 1})
        assert condition.read_condition().late_ms > 1_000
        wakes.sweep(room, 0)
    presence.note(room, Worker("play0", ("play.0",), clock.redis_now_ms(room)))
    now = condition.read_condition()
    assert [one.member for one in now.stuck] == [member(table.pk)]
    assert {one.name: now.is_away(one) for one in now.workers} == {"play0": False, "play1": True}
