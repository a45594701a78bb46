"""Facts around the tables of a game, told with the delay of its cards: clock, field, payouts.

They are noted while they are true and told later, so that they are of the moment that viewers see.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import structlog
from django.conf import settings
from django.db import DatabaseError
from redis import Redis
from redis.exceptions import RedisError

from config import limits
from tables.cardsup import source
from tables.cardsup.events import HandRetold
from tables.cardsup.models import DelayedFacts, Retelling
from tables.cardsup.source import CardsUpSource
from tables.gateway.database import reads
from tables.gateway.streams.known_kinds import Guard, register_snapshot
from tables.store import keys, streams

log = structlog.get_logger(__name__)

FIELD = "field"
_json = msgspec.json.Encoder().encode
_retold = msgspec.json.Decoder(HandRetold).decode


def note_facts(redis: Redis, at_ms: int) -> None:
    """Note the facts of every game that is told, each once in a while."""
    for director in source.every().values():
        for game in director.games():
            try:
                _note(redis, director, game, at_ms)
            except (DatabaseError, RedisError, OSError):
                raise
            except Exception:
                # One game that cannot be described stops no other one.
                log.exception("facts of a game broken", game=game)


def _note(redis: Redis, director: CardsUpSource, game: int, at_ms: int) -> None:
    stream = f"{FIELD}:{game}"
    last = DelayedFacts.objects.filter(stream=stream).order_by("-seq").first()
    if last is not None and at_ms - last.at_ms < limits.CARDS_UP_FACTS_MS:
        return
    due_ms = at_ms + director.delay_ms(game)
    # Redis is ahead of a PostgreSQL that lost its last rows, and refuses numbers that it has.
    before = max(0 if last is None else last.seq, streams.last_number(redis, stream))
    row = DelayedFacts(
        stream=stream,
        seq=before + 1,
        at_ms=at_ms,
        # Facts stay in order when the delay becomes shorter.
        due_ms=due_ms if last is None else max(due_ms, last.due_ms),
        payload=_json(director.facts(game, at_ms, due_ms)),
    )
    # Another process may have noted them just now.
    DelayedFacts.objects.bulk_create([row], ignore_conflicts=True)


def tell_due_facts(redis: Redis, at_ms: int) -> None:
    """Tell the facts that are due, in order; of those told before only the last are kept.

    A hand that lasted longer than the delay is told later than that. Facts of its time are put off
    as far, or they would name who is out before the cards that decided it.
    """
    due = DelayedFacts.objects.filter(is_told=False, due_ms__lte=at_ms)
    rows = list(due.order_by("stream", "seq")[: limits.CARDS_UP_AT_ONCE_MAX])
    delays_ms = _present_delays({keys.number(row.stream) for row in rows})
    for row in rows:
        shown_ms = row.at_ms + delays_ms.get(keys.number(row.stream), 0)
        if shown_ms > at_ms:
            later = DelayedFacts.objects.filter(stream=row.stream, seq__gte=row.seq)
            later.filter(due_ms__lt=shown_ms).update(due_ms=shown_ms)
            continue
        payload = _json(msgspec.json.decode(row.payload) | {"due_ms": row.due_ms})
        streams.publish(redis, row.stream, row.seq, payload)
        redis.expire(keys.events(row.stream, settings.SHARDS), limits.CARDS_UP_STREAM_KEPT_S)
        DelayedFacts.objects.filter(pk=row.pk).update(is_told=True, payload=payload)
        told = DelayedFacts.objects.filter(stream=row.stream, is_told=True)
        told.filter(seq__lt=row.seq).delete()


def _present_delays(games: Collection[int]) -> dict[int, int]:
    """Return the longest delay in ms of the hands that are told now, by game."""
    if not games:
        return {}
    telling = Retelling.objects.filter(phase=Retelling.Phase.TELLING, game__in=games)
    longest: dict[int, int] = {}
    for game, retold in telling.values_list("game", "retold"):
        longest[game] = max(longest.get(game, 0), _retold(retold).delay_ms)
    return longest


def register_field(
    guard: Guard, *, state: type[msgspec.Struct], event: type[msgspec.Struct]
) -> None:
    """Let clients follow the delayed facts of games whose director tells them as `event`.

    A snapshot of `state` has the facts told last as `facts`, or null.
    """

    @reads
    def provide(stream: str, user: int | None) -> tuple[str, bytes]:
        told = DelayedFacts.objects.filter(stream=stream, is_told=True)
        last = told.order_by("-seq").first()
        if last is None:
            return "0-0", b'{"facts":null}'
        return f"0-{last.seq}", b'{"facts":' + bytes(last.payload) + b"}"

    register_snapshot(
        FIELD,
        provide,
        personal=False,
        state=state,
        events=(event,),
        guard=guard,
        urgent=False,
    )
