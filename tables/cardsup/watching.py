"""The process of the cards-up streams: it alone holds cards that are not told yet."""

from __future__ import annotations

import structlog
from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from redis import Redis
from redis.exceptions import RedisError

from config import clock, limits, metrics
from config.heartbeat import heart
from config.process.stopping import StopRequest
from config.redis import room
from tables.cardsup import facts, pruning, source, telling
from tables.cardsup.models import Retelling
from tables.models import Hand, Table
from tables.workers import presence

log = structlog.get_logger(__name__)

FEATURED = "featured"
CARDS_UP = "cardsup"
_Phase = Retelling.Phase
_COLUMNS = (
    *("table_id", "phase", "hand", "base_seq", "length", "starts_ms", "ends_ms", "due_ms"),
    *("hidden", "retold"),
)


def watch(stop: StopRequest) -> None:
    """Look at the streams until the process is told to stop, each at its time.

    The step in progress is done first; then the process leaves the list of workers.
    """
    looked_ms = -limits.CARDS_UP_LOOK_MS
    while not stop.is_made:
        if heart.beat():
            presence.report("cardsup")
        try:
            close_old_connections()
            at_ms = clock.redis_now_ms(room())
            # The clock of a promoted Redis may be behind: it is not waited for.
            if clock.monotonic_ms() - looked_ms >= limits.CARDS_UP_LOOK_MS:
                looked_ms = clock.monotonic_ms()
                discover(room(), at_ms)
                pruning.prune_hourly()
            wait_ms = pause_ms(step(room(), at_ms), clock.redis_now_ms(room()))
        except (DatabaseError, RedisError, OSError) as error:
            log.warning("cards-up streams delayed", error=str(error))
            connection.close()
            wait_ms = limits.CARDS_UP_LOOK_MS
        except Exception:
            log.exception("cards-up streams broken")
            wait_ms = limits.CARDS_UP_LOOK_MS
        stop.wait(wait_ms / 1_000)
    presence.leave("cardsup")


def pause_ms(next_ms: int, now_ms: int) -> int:
    """Return the pause until the next look, in ms; short also when the clock went back."""
    return max(0, min(next_ms - now_ms, limits.CARDS_UP_LOOK_MS))


def discover(redis: Redis, at_ms: int) -> None:
    """Open missing streams, and wake those that have something new to look at."""
    open_streams()
    wake_waiting(at_ms)
    facts.note_facts(redis, at_ms)


def step(redis: Redis, at_ms: int) -> int:
    """Look at every stream that is due at a time; return the time of the next look."""
    for row in claim(at_ms):
        before_ms = row.due_ms
        try:
            telling.tell_due(redis, row, at_ms)
        except (DatabaseError, RedisError, OSError):
            raise
        except Exception:
            # One damaged hand stops its own streams only; they are looked at after the lease.
            log.exception("cards-up stream broken", stream=row.stream)
            metrics.FAULTS.labels("cards_up").inc()
            continue
        save(row, before_ms)
    facts.tell_due_facts(redis, at_ms)
    due = _due().order_by("due_ms").values_list("due_ms", flat=True).first()
    latest_ms = at_ms + limits.CARDS_UP_LOOK_MS
    return latest_ms if due is None else min(due, latest_ms)


def open_streams() -> None:
    """Open a stream for each table of the games that are told, and one for each such game."""
    for name, director in source.every().items():
        games = director.games()
        if not games:
            continue
        known = Retelling.objects.filter(table=OuterRef("pk"), is_featured=False)
        tables = Table.objects.filter(~Exists(known), director=name, game__in=games)
        featured = Retelling.objects.filter(director=name, game__in=games, is_featured=True)
        missing = set(games) - set(featured.values_list("game", flat=True))
        rows = [
            *(
                Retelling(stream=f"{CARDS_UP}:{pk}", director=name, game=game, table_id=pk)
                for pk, game in tables.order_by("pk").values_list("pk", "game")
            ),
            *(
                Retelling(
                    stream=f"{FEATURED}:{game}",
                    director=name,
                    game=game,
                    is_featured=True,
                    phase=_Phase.PLANNED,
                )
                for game in sorted(missing)
            ),
        ]
        Retelling.objects.bulk_create(rows, ignore_conflicts=True)


def wake_waiting(at_ms: int) -> None:
    """Make the waiting streams due whose next hand was settled, or whose table was closed."""
    settled = Hand.objects.filter(table=OuterRef("table"), number__gt=OuterRef("hand"))
    closed = Table.objects.filter(pk=OuterRef("table"), status=Table.Status.CLOSED)
    waiting = Retelling.objects.filter(phase=_Phase.WAITING, is_featured=False)
    waiting.filter(Exists(settled) | Exists(closed)).update(phase=_Phase.PLANNED, due_ms=at_ms)


def claim(at_ms: int) -> list[Retelling]:
    """Claim due streams until the end of a lease; of several processes one gets each."""
    with transaction.atomic():
        due = _due().filter(due_ms__lte=at_ms).order_by("due_ms", "pk")
        rows = list(due.select_for_update(skip_locked=True)[: limits.CARDS_UP_AT_ONCE_MAX])
        lease_ms = at_ms + limits.CARDS_UP_LEASE_MS
        Retelling.objects.filter(pk__in=[row.pk for row in rows]).update(due_ms=lease_ms)
    for row in rows:
        row.due_ms = lease_ms
    return rows


def save(row: Retelling, lease_ms: int) -> bool:
    """Save a row after a look; False when the lease ended and another process has the stream."""
    held = Retelling.objects.filter(pk=row.pk, due_ms=lease_ms)
    return bool(held.update(**{name: getattr(row, name) for name in _COLUMNS}))


def _due() -> QuerySet[Retelling]:
    return Retelling.objects.filter(phase__in=(_Phase.TELLING, _Phase.PLANNED))
