"""The auditor finds nothing in a sound room, and every kind of violation in a broken one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.utils import timezone
from msgspec.structs import replace
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Account, AccountKind
from accounts.users import bots
from tables.dealer.state import TableState
from tables.models import Hand, Seat, Table
from tables.monitor import audit as tables_audit
from tables.store import fenced, hidden_states, keys, wakes
from tests.tournaments import course
from tournaments.entries import registration
from tournaments.models import Entry, KnockOut, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit
from tournaments.monitor.audit_memory import AuditMemory
from tournaments.prizes import money

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def running(room: Redis) -> Tournament:
    """Seven players at tables of three, after at least four hands at two tables or more."""
    tournament = course.offer(players=7, seats=3)
    course.fill(tournament)
    course.play(
        room,
        tournament,
        random.Random(1),
        until=lambda t: (
            Hand.objects.count() >= 4 and Hand.objects.values("table").distinct().count() > 1
        ),
    )
    return tournament


def test_a_tournament_passes_the_audit_after_every_step(room: Redis) -> None:
    tournament = course.offer(players=7, seats=3)
    course.fill(tournament)
    watch, looks = AuditMemory(tournament.pk), [0]

    def look(now: Tournament) -> bool:
        looks[0] += 1
        if looks[0] % 5 == 0 or now.state == State.FINISHED:
            assert watch.violations(looks[0] * 1.0) == []
        return now.state == State.FINISHED

    course.play(room, tournament, random.Random(3), until=look)
    assert looks[0] > 20


def _more_chips(tournament: Tournament) -> None:
    seat = Seat.objects.filter(table__game=tournament.pk).order_by("pk").first()
    Seat.objects.filter(pk=seat.pk).update(chips=F("chips") + 1)  # type: ignore[union-attr]


def _entry_without_seat(tournament: Tournament) -> None:
    seat = Seat.objects.filter(table__game=tournament.pk).order_by("pk").first()
    seat.delete()  # type: ignore[union-attr]


def _foreign_seat(tournament: Tournament) -> None:
    first, second = Seat.objects.filter(table__game=tournament.pk).order_by("pk")[:2]
    Seat.objects.filter(pk=first.pk).update(user=second.user)


def _lost_hand(tournament: Tournament) -> None:
    Hand.objects.filter(table__game=tournament.pk).order_by("pk").first().delete()  # type: ignore[union-attr]


def _wrong_place(tournament: Tournament) -> None:
    entry = tournament.entries.order_by("pk").first()
    Entry.objects.filter(pk=entry.pk).update(place=2)  # type: ignore[union-attr]


def _unpaid_prize(tournament: Tournament) -> None:
    entry = tournament.entries.order_by("pk").first()
    Entry.objects.filter(pk=entry.pk).update(prize=500)  # type: ignore[union-attr]


def _place_in_open_round(tournament: Tournament) -> None:
    entry = tournament.entries.filter(knock_out=None).earliest("pk")
    table = Table.objects.filter(game=tournament.pk).earliest("pk")
    Tournament.objects.filter(pk=tournament.pk).update(round=3, round_open=True)
    KnockOut.objects.create(
        tournament=tournament,
        entry=entry,
        order=1,
        round=3,
        table=table,
        hand=1,
        stack=100,
        button_distance=1,
        placed=True,
    )


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_more_chips, "7000 chips sold, 7001 at seats"),
        (_entry_without_seat, "is in play and sits nowhere"),
        (_foreign_seat, "which is not theirs"),
        (_lost_hand, "hands settled"),
        (_wrong_place, "place 2 was given where"),
        (_unpaid_prize, "won 500 and was paid 0"),
        (_place_in_open_round, "1 places were given in a round that is still open"),
    ],
)
def test_each_violated_invariant_is_found(
    running: Tournament, spoil: Callable[[Tournament], None], said: str
) -> None:
    assert audit.audit_tournaments() == []
    spoil(running)
    found = audit.audit_tournaments(running.pk)
    assert any(said in line for line in found), found
    assert all(f"tournament {running.pk}" in line for line in found)


@pytest.mark.usefixtures("room")
def test_a_second_refund_before_the_start_is_found() -> None:
    tournament = course.offer(players=4, seats=3, bounty=500)
    staying, leaving = bots.create(2)
    for player in (staying, leaving):
        registration.register(player, tournament)
    entry = registration.unregister(leaving, tournament.pk)
    assert audit.audit_tournaments() == []
    orders = money.refunds(tournament, [entry])
    transfers.transfer_all([order._replace(key=f"{order.key}:again") for order in orders])
    said = f"tournament {tournament.pk}: before the start the {{}} account holds 0, its entries"
    assert audit.audit_tournaments(tournament.pk) == [
        f"{said.format('pool')} paid {course.BUY_IN}",
        f"{said.format('bounty')} paid 500",
    ]


def test_a_balance_unlike_its_postings_is_found(running: Tournament) -> None:
    with _WithoutTriggers():
        Account.objects.filter(kind=AccountKind.FEE).update(balance=F("balance") + 1)
    found = "\n".join(audit.audit_tournaments())
    assert "the ledger sums to 1" in found
    assert "its postings sum to 700" in found


class _WithoutTriggers:
    """Writes that bypass the triggers which refuse them."""

    def __enter__(self) -> None:
        self._switch("DISABLE")

    def __exit__(self, *failure: object) -> None:
        self._switch("ENABLE")

    def _switch(self, how: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE accounts_account {how} TRIGGER USER")


def test_a_member_lastingly_without_a_wake_is_found(room: Redis, running: Tournament) -> None:
    watch = AuditMemory()
    table = Table.objects.filter(game=running.pk).order_by("pk").first()
    assert table is not None
    assert watch.violations(0.0) == []
    wake = keys.wakes(keys.shard(keys.table(table.pk), 1))
    score = room.zscore(wake, keys.table(table.pk))
    assert score is not None
    room.zrem(wake, keys.table(table.pk))
    assert watch.violations(1.0) == [], "the wake may be on its way"
    assert watch.violations(5.0) == [f"table:{table.pk} has no wake"]
    room.zadd(wake, {keys.table(table.pk): score})
    assert watch.violations(9.0) == []
    wakes.cancel(room, f"tournament:{running.pk}")
    watch.violations(10.0)
    assert watch.violations(14.0) == [f"tournament:{running.pk} has no wake"]
    watch.saw_wakes([f"tournament:{running.pk}"])
    assert watch.violations(15.0) == [], "the wake existed meanwhile"


def test_a_chip_added_in_redis_is_found(room: Redis, running: Tournament) -> None:
    course.play(
        room,
        running,
        random.Random(2),
        until=lambda t: any(s.phase == "hand" for s in _states(room, t)),
    )
    state = next(s for s in _states(room, running) if s.phase == "hand")
    assert state.hand is not None
    tables = list(Table.objects.filter(pk=state.table))
    assert list(tables_audit.chips(room, tables)) == []
    seat = state.hand.seats[0]
    richer = replace(seat, stack=seat.stack + 5)
    hand = replace(state.hand, seats=(richer, *state.hand.seats[1:]))
    spoiled = replace(state, hand=hand)
    room.hset(keys.state(keys.table(state.table), 1), "state", hidden_states.encode(spoiled))
    assert len(list(tables_audit.chips(room, tables))) == 1


def _states(room: Redis, tournament: Tournament) -> Iterator[TableState]:
    for table in Table.objects.filter(game=tournament.pk, status=Table.Status.OPEN):
        state = fenced.peek(room, table.pk)
        if state is not None:
            yield state


@pytest.mark.rule("T-08")
def test_the_auditor_looks_at_tournaments_of_long_ago_in_turn(room: Redis) -> None:
    over = [course.offer(players=2, seats=2) for _ in range(5)]
    for tournament in over:
        course.fill(tournament)
    long_ago = timezone.now() - timedelta(days=90)
    Tournament.objects.update(state=State.FINISHED, finished_at=long_ago, started_ms=1, left=1)
    watch = AuditMemory(over_most=2)
    looked = [_looked_at(watch.violations(0.0)) for _ in range(4)]
    keys_of = [tournament.pk for tournament in over]
    wrong = set(keys_of[:2])
    assert looked == [wrong, set(keys_of[:4]), {*wrong, keys_of[4]}, wrong], (
        "each look goes on, and keeps two that were wrong in the last one"
    )
    Tournament.objects.filter(pk=keys_of[4]).update(finished_at=timezone.now())
    assert _looked_at(watch.violations(0.0)) == set(keys_of), "one of them ended a moment ago"
    assert _looked_at(AuditMemory().violations(0.0)) == set(keys_of), "the command asks for all"


def _looked_at(violations: list[str]) -> set[int]:
    """Return the tournaments of these violations: each of the test has some."""
    found = re.findall(r"^tournament (\d+):", "\n".join(violations), re.MULTILINE)
    return {int(number) for number in found}


def test_tables_that_stay_uneven_are_found(room: Redis) -> None:
    tournament = course.offer(players=8, seats=5)
    course.fill(tournament)
    watch = AuditMemory()
    assert watch.violations(0.0) == []
    first, second = Table.objects.filter(game=tournament.pk).order_by("pk")
    free = {1, 2, 3, 4, 5} - set(Seat.objects.filter(table=first).values_list("seat", flat=True))
    moved = Seat.objects.filter(table=second).order_by("seat").last()
    Seat.objects.filter(pk=moved.pk).update(table=first, seat=free.pop())  # type: ignore[union-attr]
    assert watch.violations(1.0) == [], "the next hands may balance the tables"
    Table.objects.filter(game=tournament.pk).update(hand=2, granted_hand=2)
    assert any("tables of 3 and 5 players" in line for line in watch.violations(2.0))


@pytest.mark.parametrize("every", [0.0, -1.0, float("nan"), float("inf")])
def test_the_command_refuses_to_repeat_without_a_pause(running: Tournament, every: float) -> None:
    with pytest.raises(CommandError, match="--every must be above 0"):
        call_command("audit", every=every)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"tournament": 0}, "no such tournament"),
        ({"tournament": 2**70}, "no such tournament"),
        ({"watch": True, "tournament": 1}, "--watch goes without --tournament"),
        ({"watch": True, "marks": True}, "--watch goes without --marks"),
        ({"watch": True, "every": 1.0}, "--watch goes without --every"),
        ({"marks": True, "since": "a mark"}, "--marks goes without --since"),
    ],
)
def test_the_command_refuses_what_it_would_not_check(
    running: Tournament, options: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(CommandError, match=wrong):
        call_command("audit", **options)


def test_the_command_ends_with_the_first_violation(running: Tournament) -> None:
    out = StringIO()
    call_command("audit", tournament=running.pk, stdout=out)
    assert out.getvalue() == "no violation\n"
    _more_chips(running)
    with pytest.raises(CommandError, match="7000 chips sold, 7001 at seats"):
        call_command("audit", stderr=StringIO())
