"""Rulings never bring two live entries of one player to one table, and the auditor detects it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from tables.models import Seat, Table
from tests.tournaments.cast import Arena, law, passive
from tests.tournaments.seating.several_entries import free_seat, multi, send
from tournaments.models import AuditRow, Entry, Ruling, Tournament
from tournaments.monitor import audit
from tournaments.refusals import CannotMove
from tournaments.running import rulings

WHY = "friends"


def _three_tables() -> tuple[Tournament, Seat, Seat, Table]:
    """Two seats of one player at tables of four with a free seat, and the third table."""
    tournament = multi(6, 2, seats_per_table=5)
    one, other = Seat.objects.filter(user=Entry.objects.earliest("pk").user).order_by("table")
    spare = Table.objects.exclude(pk__in=[one.table_id, other.table_id]).get()
    return tournament, one, other, spare


@pytest.mark.rule("E-03")
@pytest.mark.parametrize("there", ["sits", "on the way"])
def test_a_move_to_a_table_with_another_own_entry_is_refused(house: Redis, there: str) -> None:
    _, one, other, spare = _three_tables()
    target = other.table
    if there == "on the way":
        target = spare
        send(other, spare)
    with pytest.raises(CannotMove, match="another entry") as refused:
        rulings.move(one.entry, target.pk, actor=None, reason=WHY)
    assert refused.value.allowed == {"why": "own_entry"}
    assert not Ruling.objects.exists() and not AuditRow.objects.filter(action="move").exists()


@pytest.mark.rule("E-03")
def test_a_move_becomes_void_when_another_own_entry_reaches_that_table(house: Redis) -> None:
    _, one, other, spare = _three_tables()
    Table.objects.filter(pk=spare.pk).update(seats_max=6)
    first = rulings.move(one.entry, spare.pk, actor=None, reason=WHY)
    second = rulings.move(other.entry, spare.pk, actor=None, reason=WHY)
    arena = Arena(one.table.game)
    arena.choose = passive
    arena.tables()
    for seat in (one, other):
        arena.step(seat.table_id)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("done", "void")
    assert Seat.objects.get(entry=other.entry).table_id == other.table_id
    law(one.table.game)


@pytest.mark.rule("E-03")
def test_the_form_lists_no_table_with_another_own_entry(house: Redis, client: Client) -> None:
    _, one, other, spare = _three_tables()
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    page = reverse("admin:tournaments_move", args=[one.entry])
    shown = client.get(page).content.decode()
    assert f'<option value="{spare.pk}">' in shown
    assert f'<option value="{other.table_id}">' not in shown
    assert client.post(page, {"reason": WHY, "to_table": other.table_id}).status_code == 200
    assert not Ruling.objects.exists()


@pytest.mark.rule("E-03")
@pytest.mark.parametrize("there", ["sits", "on the way"])
def test_the_auditor_finds_two_entries_of_one_player_at_one_table(house: Redis, there: str) -> None:
    tournament, one, other, _ = _three_tables()
    assert audit.audit_tournaments(tournament.pk) == []
    if there == "sits":
        Seat.objects.filter(pk=one.pk).update(table=other.table, seat=free_seat(other.table))
    else:
        send(one, other.table)
    user, table, pair = one.user_id, other.table_id, sorted([one.entry, other.entry])
    assert audit.audit_tournaments(tournament.pk) == [
        f"tournament {tournament.pk}: user {user} has entries {pair} at table {table}"
    ]
