"""Invariants over time: states of a live room that are allowed only for a moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from config import redis
from tables.fairlog import audit as log_audit
from tables.models import Table
from tables.monitor import audit as tables_audit
from tables.monitor import seals
from tables.ring.monitor import audit as ring_audit
from tables.store import keys
from tournaments.events.bells import member
from tournaments.locks import DIRECTOR
from tournaments.models import Move, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit
from tournaments.seating import balancer

WAKE_LOST_AFTER_S = 3.0
HANDS_TO_LEVEL = 2
"""Hands that every table may finish before uneven tables are a violation (T-08)."""

PAID_WITHIN = timedelta(days=7)
"""Time in which the prizes of a tournament are paid, in batches; later it is looked at in turn."""

LATELY = timedelta(minutes=10)
"""Time since the end of a tournament in which every check looks at it."""


@dataclass
class _Uneven:
    """Uneven tables: players left and the hand of each table when first seen."""

    left: int
    hands: dict[int, int]


@dataclass
class AuditMemory:
    """Memory of one auditor between two checks of a room.

    A wake may be missing for `wake_lost_after_s`, in seconds. Of the tournaments that are over a
    check looks at the next `over_most`, starting over after the newest, and at those that were
    wrong in the last check; None: at all of them.
    """

    tournament_id: int | None = None
    wake_lost_after_s: float = WAKE_LOST_AFTER_S
    over_most: int | None = None
    _over_from: int = 0
    _wrong: Sequence[int] = ()
    _no_wake: dict[str, float] = field(default_factory=dict)
    _uneven: dict[int, _Uneven] = field(default_factory=dict)

    def violations(self, now_s: float) -> list[str]:
        """List every violation now; `now_s` is any monotonic clock in seconds."""
        violations = self._tournament_violations()
        with transaction.atomic():
            rows = list(self._tournaments())
            tables = list(Table.objects.filter(director=DIRECTOR, status=Table.Status.OPEN))
        return [
            *violations,
            *ring_audit.violations(),
            *seals.violations(),
            *log_audit.violations(),
            *tables_audit.chips(redis.room(), tables),
            *self._wakes(rows, tables, now_s),
            *(line for row in rows for line in self._balance(row)),
        ]

    def saw_wakes(self, members: Iterable[str]) -> None:
        """Restart the time of members whose wake was seen between two checks."""
        for name in members:
            self._no_wake.pop(name, None)

    def _tournament_violations(self) -> list[str]:
        if self.over_most is None:
            return audit.audit_tournaments(self.tournament_id)
        over = Tournament.objects.filter(state=State.FINISHED, pk__gt=self._over_from)
        some = list(over.order_by("pk").values_list("pk", flat=True)[: self.over_most])
        found = audit.violations(
            self.tournament_id,
            Q(state__in=audit.PLAYING)
            | Q(paying__isnull=False, finished_at__gt=timezone.now() - PAID_WITHIN)
            | Q(finished_at__gt=timezone.now() - LATELY)
            | Q(pk__in=(*some, *self._wrong)),
        )
        named = {tournament for tournament, _ in found if tournament is not None}
        self._wrong = sorted(named)[: self.over_most]
        self._over_from = some[-1] if len(some) == self.over_most else 0
        return [sentence for _, sentence in found]

    def _tournaments(self) -> Iterator[Tournament]:
        rows = Tournament.objects.filter(state__in=(State.REGISTERING, *audit.PLAYING))
        if self.tournament_id is not None:
            rows = rows.filter(pk=self.tournament_id)
        yield from rows.order_by("pk")

    def _wakes(self, rows: list[Tournament], tables: list[Table], now_s: float) -> Iterator[str]:
        """Live tables and tournaments without a wake for longer than allowed."""
        games = {row.pk for row in rows}
        members = [keys.table(table.pk) for table in tables if table.game in games]
        members += [member(row.pk) for row in rows]
        missing = tables_audit.without_wake(redis.room(), members)
        self._no_wake = {name: self._no_wake.get(name, now_s) for name in missing}
        for name, since_s in self._no_wake.items():
            if now_s - since_s >= self.wake_lost_after_s:
                yield f"{name} has no wake"

    def _balance(self, tournament: Tournament) -> Iterator[str]:
        """Tournaments whose tables stay uneven or too many after each finished hands (T-08)."""
        tables = Table.objects.filter(
            director=DIRECTOR, game=tournament.pk, status=Table.Status.OPEN
        ).annotate(sitting=Count("seats"))
        sizes = {table.pk: table.sitting for table in tables}
        hands = {table.pk: table.hand for table in tables}
        problem = _uneven(tournament, list(sizes.values()))
        before = self._uneven.get(tournament.pk)
        if problem is None:
            self._uneven.pop(tournament.pk, None)
        elif before is None or before.left != tournament.left:
            self._uneven[tournament.pk] = _Uneven(tournament.left, hands)
        elif all(
            hand >= before.hands.get(table, hand) + HANDS_TO_LEVEL for table, hand in hands.items()
        ):
            yield f"tournament {tournament.pk}: {problem}"


def _uneven(tournament: Tournament, sizes: list[int]) -> str | None:
    """Return why the table sizes of a running tournament are wrong, or None."""
    if tournament.format_rules.has_rounds:  # no entry moves before the round is over (F-04)
        return None
    if tournament.state != State.RUNNING or not sizes:
        return None
    if tournament.moves.filter(state__in=Move.PENDING).exists():
        return None
    needed = balancer.needed(tournament)
    if len(sizes) > needed:
        return f"{len(sizes)} tables for {tournament.left} players, {needed} are enough"
    if max(sizes) - min(sizes) > 1:
        return f"tables of {min(sizes)} and {max(sizes)} players"
    return None
