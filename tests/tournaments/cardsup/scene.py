"""A tournament that shows cards: hands played at once, and told again at any chosen time."""

from __future__ import annotations

import json
import random
from typing import Any

from django.conf import settings
from redis import Redis

from tables.cardsup import telling, watching
from tables.cardsup.models import Retelling
from tables.history.kept import kept_of
from tables.models import Hand, Table
from tables.store import keys
from tests.redis_answers import events_of
from tests.tournaments import course
from tournaments.locks import DIRECTOR

DELAY_MS = 60_000
FINAL_MS = 120_000


class CardsUpScene:
    """A running tournament with its cards-up streams, looked at by hand."""

    def __init__(self, redis: Redis, players: int = 4, seats: int = 4, **options: Any) -> None:
        self.redis = redis
        shown: dict[str, Any] = {
            "cards_up": "everybody",
            "cards_up_delay_ms": DELAY_MS,
            "cards_up_final_ms": FINAL_MS,
        }
        self.tournament = course.offer(players, seats, **(shown | options))
        self.players = course.fill(self.tournament)
        self.tournament.refresh_from_db()
        self.chance = random.Random(11)

    def play(self, hands: int) -> None:
        """Play until so many hands are settled in all, or the tournament is over."""
        course.play(
            self.redis,
            self.tournament,
            self.chance,
            lambda row: self.hands().count() >= hands or row.finished_at is not None,
        )

    def hands(self, table: int | None = None) -> Any:
        """Settled hands of the tournament, or of one table, in order."""
        tables = Table.objects.filter(director=DIRECTOR, game=self.tournament.pk)
        rows = Hand.objects.filter(table__in=tables).select_related("table")
        return (rows if table is None else rows.filter(table=table)).order_by("table", "number")

    @property
    def tables(self) -> list[int]:
        """Tables of the tournament, by number."""
        rows = Table.objects.filter(director=DIRECTOR, game=self.tournament.pk)
        return list(rows.order_by("number").values_list("pk", flat=True))

    @property
    def featured(self) -> str:
        """Stream of the featured table."""
        return f"featured:{self.tournament.pk}"

    def first_ms(self) -> int:
        """Start of the first hand."""
        return min(kept_of(hand).began_ms for hand in self.hands())

    def look(self, at_ms: int, redis: Redis | None = None) -> None:
        """Do what the process does at a time: discover, then tell what is due, twice.

        A look that begins a hand tells it from the next look on.
        """
        watching.discover(self.redis, at_ms)
        for _ in range(2):
            watching.step(self.redis if redis is None else redis, at_ms)

    def look_until(self, start_ms: int, end_ms: int, times: int = 60) -> None:
        """Look so many times between two moments, and at their end."""
        for number in range(times + 1):
            self.look(start_ms + (end_ms - start_ms) * number // times)

    def told(self, stream: str) -> list[dict[str, Any]]:
        """Events of a stream as Redis holds them."""
        told = events_of(self.redis, keys.events(stream, settings.SHARDS))
        return [json.loads(event) for event in told]

    def row(self, stream: str) -> Retelling:
        """Stored progress of a stream."""
        return Retelling.objects.get(stream=stream)


def forget_hands() -> None:
    """Let this process forget the events of hands, as a new one does."""
    telling._encoded.cache_clear()
