"""Cost of one balancer decision in fields of 30 to 30,000 players: see `make bench`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from tests.bench.shared import rooms
from tests.bench.shared.report import note

if TYPE_CHECKING:
    from tables.models import Table

FIELDS = (30, 3_000, 30_000)
DECISIONS = 300
WARM_UP = 30
SEATS = 9


def main() -> None:
    """Measure fields in which every table asks in turn and the longest table must send a player."""
    with rooms.opened():
        numbers = {}
        for players in FIELDS:
            level, moving = decision_us(players)
            numbers[f"balancer.decision_us.{players}"] = level
            numbers[f"balancer.move_us.{players}"] = moving
        numbers["balancer.ratio_3000"] = (
            numbers["balancer.decision_us.3000"] / numbers["balancer.decision_us.30"]
        )
    note(numbers)


def decision_us(players: int) -> tuple[float, float]:
    """Return median us to plan for a table that plays on, and for one that sends a player."""
    from django.db import connection

    from config.redis import room
    from tables.models import Seat
    from tournaments.engine import balancing
    from tournaments.seating import balancer, grants, planning

    tournament, tables = _field(players)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    balancer.reload(room(), tournament.pk)
    chance = Random(players)

    def plan(table: Table) -> balancing.Plan:
        return planning.plan(tournament, grants.boundary(table))

    level = _median_us(plan, [chance.choice(tables) for _ in range(DECISIONS)])
    # One table is two players short: every full table must send a player there.
    gone = Seat.objects.filter(table=tables[0]).order_by("-seat")[:2].values_list("pk", flat=True)
    Seat.objects.filter(pk__in=list(gone)).delete()
    tournament.left -= 2
    tournament.balance_version += 1
    tournament.save()
    balancer.reload(room(), tournament.pk)
    moving = _median_us(plan, [chance.choice(tables[1:]) for _ in range(DECISIONS)])
    return level, moving


def _median_us(plan: Callable[[Table], object], tables: Sequence[Table]) -> float:
    spans = []
    for table in tables[:WARM_UP]:
        plan(table)
    for table in tables:
        began_s = perf_counter()
        plan(table)
        spans.append(perf_counter() - began_s)
    return round(median(spans) * 1e6, 1)


def _field(players: int):  # type: ignore[no-untyped-def]
    """Create a running tournament with level tables as rows, without play."""
    from accounts.users import bots
    from tables.models import Seat, Table
    from tournaments.locks import DIRECTOR
    from tournaments.models import Structure, Tournament
    from tournaments.models.tournament import Start, State
    from tournaments.schedule import making

    row, _ = Structure.objects.get_or_create(
        name="field",
        defaults={
            "items": [{"type": "level", "small_blind": 50, "big_blind": 100, "lasts_ms": 600_000}],
            "starting_stack": 10_000,
        },
    )
    made = making.create_from_structure(
        row,
        name=f"field {players}",
        start=Start.SIT_AND_GO,
        players_min=2,
        players_max=players,
        seats_per_table=SEATS,
    )
    count = -(-players // SEATS)
    tables = Table.objects.bulk_create(
        Table(director=DIRECTOR, game=made.pk, number=number, seats_max=SEATS, big_blind=1)
        for number in range(1, count + 1)
    )
    Seat.objects.all().delete()
    Seat.objects.bulk_create(
        (
            Seat(
                table=tables[number % count],
                seat=number // count + 1,
                entry=made.pk * 1_000_000 + number,
                user=user,
                name=user.name,
                chips=10_000,
            )
            for number, user in enumerate(bots.create(players))
        ),
        batch_size=5_000,
    )
    Tournament.objects.filter(pk=made.pk).update(
        state=State.RUNNING, entrants=players, left=players, tables_opened=count, balance_version=1
    )
    return Tournament.objects.get(pk=made.pk), tables


if __name__ == "__main__":
    main()
