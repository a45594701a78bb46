"""Cards-up streams for clients: who may follow them, and their snapshots from stored rows.

A snapshot holds what was told, and no hand is read here: the gateway never has a card early.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, get_args

import msgspec
from django.conf import settings

from config.redis import room
from tables.cardsup import source
from tables.cardsup.events import CardsUpEvent, CardsUpSnapshot, HandRetold
from tables.cardsup.models import Retelling
from tables.gateway.database import reads
from tables.gateway.streams.known_kinds import Guard, NoSuchStream, register_snapshot
from tables.models import Table
from tables.store import keys

_json = msgspec.json.Encoder().encode
_retold = msgspec.json.Decoder(HandRetold).decode


def register(prefix: str, director: str = "") -> Guard:
    """Let clients follow `prefix:<number>`: of a table, or of a game of a director.

    Returns the guard, for other streams of the same games.
    """

    @reads
    def guard(stream: str, users: Collection[int | None]) -> set[int] | None:
        found, game = _game(stream, director)
        return found.viewers(game, users)

    @reads
    def provide(stream: str, user: int | None) -> tuple[str, bytes]:
        found, game = _game(stream, director)
        row = Retelling.objects.filter(stream=stream).only("base_seq", "retold").first()
        retold = _retold(row.retold) if row is not None and row.retold else None
        seq = 0 if row is None or retold is None else row.base_seq + 1
        return f"0-{seq}", _json(CardsUpSnapshot(game, found.delay_ms(game), retold))

    register_snapshot(
        prefix,
        provide,
        personal=False,
        state=CardsUpSnapshot,
        events=get_args(CardsUpEvent),
        guard=guard,
        urgent=False,
    )
    return guard


def read_told(stream: str) -> list[dict[str, Any]]:
    """Return the events of the hand that a stream tells, as far as they were told."""
    row = Retelling.objects.filter(stream=stream).only("base_seq", "retold").first()
    if row is None or not row.retold:
        return []
    first = f"0-{row.base_seq + 1}"
    entries: Any = room().xrange(keys.events(stream, settings.SHARDS), min=first)
    return [msgspec.json.decode(fields[b"e"]) for _, fields in entries]


def _game(stream: str, director: str) -> tuple[source.CardsUpSource, int]:
    """Return the source and the game of a stream; raises NoSuchStream without one."""
    number = keys.number(stream)
    name: str | None = director
    game: int | None = number
    if not director:
        row = Table.objects.filter(pk=number).values_list("director", "game").first()
        name, game = row or (None, None)
    found = None if name is None else source.of(name)
    if found is None or game is None:
        raise NoSuchStream(stream)
    return found, game
