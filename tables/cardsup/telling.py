"""One look at a cards-up stream: tell what is due, and begin the next hand when its time is come.

PostgreSQL holds which hand is told, Redis which of its events were told: an event has a fixed
number, and Redis refuses a number that it has already. So a process that dies between any two
steps, and two processes that tell one stream, tell nothing twice and leave nothing out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from django.conf import settings
from redis import Redis

from config import limits
from tables.cardsup import planning
from tables.cardsup.events import HandRetold
from tables.cardsup.following import FollowedHand, next_hand
from tables.cardsup.models import Retelling
from tables.cardsup.timeline import TimedEvent, timeline
from tables.history.kept import all_whole
from tables.models import Hand
from tables.records import hand_months
from tables.store import keys, streams

_json = msgspec.json.Encoder().encode
_Phase = Retelling.Phase


def tell_due(redis: Redis, row: Retelling, now_ms: int) -> None:
    """Tell what is due on a claimed stream, and set the row's phase and next look.

    The caller saves the row while its claim holds; a hand that begins is told from the next look
    on, after the row was saved.
    """
    # 1. Tell the rest of the present hand as far as it is due.
    if row.phase == _Phase.TELLING:
        due_ms = _tell(redis, row, now_ms)
        if due_ms is not None:
            row.due_ms = due_ms
            return
    # 2. Find the next hand. A waiting stream is woken when one is settled.
    found = next_hand(row, now_ms)
    if isinstance(found, FollowedHand):
        if found.starts_ms <= now_ms:
            _begin(redis, row, found)
            row.due_ms = now_ms
        else:
            row.phase, row.due_ms = _Phase.PLANNED, found.starts_ms
    else:
        row.phase = found
        row.due_ms = now_ms
    # 3. A featured stream asks again soon: another table may become the featured one.
    if row.is_featured and row.phase in (_Phase.WAITING, _Phase.PLANNED):
        row.phase = _Phase.PLANNED
        row.due_ms = min(max(row.due_ms, now_ms + 1), now_ms + limits.CARDS_UP_LOOK_MS)
    if row.phase == _Phase.OVER:
        redis.expire(keys.events(row.stream, settings.SHARDS), limits.CARDS_UP_STREAM_KEPT_S)


def _begin(redis: Redis, row: Retelling, found: FollowedHand) -> None:
    """Make a hand the present one; its events follow those of the hand before in number."""
    switched = row.table_id not in (None, found.hand.table_id)
    # Redis is ahead of a PostgreSQL that lost its last rows: it refuses numbers that it has, and
    # the hand would be told without its first events.
    row.base_seq = max(row.base_seq + row.length, streams.last_number(redis, row.stream))
    row.table_id, row.hand, row.phase = found.hand.table_id, found.hand.number, _Phase.TELLING
    row.starts_ms, row.hidden = found.starts_ms, sorted(found.hidden)
    row.retold = _json(
        HandRetold(
            hand=row.hand,
            began_ms=found.kept.began_ms,
            delay_ms=found.starts_ms - found.kept.began_ms,
            start=found.start,
            reason=found.reason,
            switched=switched and row.is_featured,
        )
    )
    told, _ = _present(row)
    row.length, row.ends_ms = 1 + len(told), planning.end_ms(told, row.starts_ms)


def _tell(redis: Redis, row: Retelling, now_ms: int) -> int | None:
    """Tell the due events of the present hand; return when the next is due, None after the last."""
    told, payloads = _present(row)
    count = planning.due_count(told, row.starts_ms, now_ms)
    last = streams.last_number(redis, row.stream)
    due = (bytes(row.retold), *payloads[:count])
    for seq, payload in enumerate(due, start=row.base_seq + 1):
        if seq > last:
            streams.publish(redis, row.stream, seq, payload)
    return None if count == len(told) else row.starts_ms + told[count].at_ms


def _present(row: Retelling) -> tuple[Sequence[TimedEvent], Sequence[bytes]]:
    assert row.table_id is not None, "a hand that is told has a table"
    hand = Hand.objects.filter(hand_months.of_tables([row.table_id]), number=row.hand)
    pk, digest = hand.values_list("pk", "digest").get()
    return _encoded(pk, digest, tuple(row.hidden))


@lru_cache(limits.CARDS_UP_HANDS_KEPT)
def _encoded(
    pk: int, digest: str, hidden: tuple[int, ...]
) -> tuple[Sequence[TimedEvent], Sequence[bytes]]:
    """Return the events of a hand, made once for all looks; only this process has them."""
    [kept] = all_whole([Hand.objects.get(pk=pk)])
    assert kept.digest() == digest, "a stored hand changed"
    told = timeline(kept, hidden)
    return told, [_json(timed.event) for timed in told]
