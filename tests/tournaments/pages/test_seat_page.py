"""Own seat on a table page: of several entries, the one at that table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from redis import Redis

from tables.models import Seat, Table
from tests.tournaments.buying.rebuy_scene import player_at_two_tables
from tests.tournaments.cast import STACK, somebody, started
from tests.tournaments.entries.late_entries import users_without_entry
from tournaments.models import Entry

FEW = 400


def _asks(client: Client, entry: Entry, table: object = None) -> dict[str, Any]:
    """Answer of the seat page to the player of an entry, with or without a table."""
    client.force_login(entry.user)
    query = {} if table is None else {"table": str(table)}
    answer = client.get(f"/tournaments/{entry.tournament_id}/seat/", query)
    assert answer.status_code == 200
    said: dict[str, Any] = answer.json()
    return said


def _few_at(entry: Entry) -> int:
    """Move most of an entry's stack to a neighbour; return the table."""
    seat = Seat.objects.get(entry=entry.pk)
    heir = Seat.objects.filter(table=seat.table_id).exclude(pk=seat.pk).order_by("pk")[0]
    Seat.objects.filter(pk=heir.pk).update(chips=2 * STACK - FEW)
    Seat.objects.filter(pk=seat.pk).update(chips=FEW)
    return seat.table_id


@pytest.mark.rule("E-03")
def test_the_rank_is_that_of_the_entry_at_the_table_of_the_page(
    house: Redis, client: Client
) -> None:
    _, (first, second) = player_at_two_tables()
    few, other = _few_at(second), Seat.objects.get(entry=first.pk).table_id
    ranks = {table: _asks(client, first, table)["rank"] for table in (few, other)}
    assert ranks == {few: 6, other: 2}
    assert [_asks(client, first, table)["table"] for table in (few, other)] == [few, other]
    assert _asks(client, first)["table"] == other, "without a table the largest stack counts"


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
def test_each_table_sells_to_the_entry_at_that_table(house: Redis, client: Client) -> None:
    _, entries = player_at_two_tables(rebuy_threshold="full", rebuys_max=2)
    first = entries[0]
    tables = [Seat.objects.get(entry=entry.pk).table_id for entry in entries]
    answers = [_asks(client, first, table) for table in tables]
    assert all(answer["sells"] for answer in answers)
    sold = [answer["rebuy"]["entry"] for answer in answers]
    assert sold == [entry.pk for entry in entries]
    assert _asks(client, first)["rebuy"]["entry"] == min(sold), (
        "without a table the first entry counts"
    )
    rich = Seat.objects.get(entry=entries[1].pk)
    Seat.objects.filter(pk=rich.pk).update(chips=STACK + 1)
    assert _asks(client, first, tables[1])["rebuy"] is None, "too many chips there"
    assert _asks(client, first, tables[0])["rebuy"]["entry"] == first.pk


@pytest.mark.rule("E-04")
@pytest.mark.parametrize("where", ["another table", "another tournament", "nowhere"])
def test_another_table_links_the_own_seat_and_sells_nothing(
    house: Redis, client: Client, where: str
) -> None:
    _, (first, second) = player_at_two_tables(rebuy_threshold="full")
    Entry.objects.filter(pk=second.pk).update(user=users_without_entry(1)[0])
    Seat.objects.filter(entry=second.pk).update(user=Entry.objects.get(pk=second.pk).user)
    table = {
        "another table": Seat.objects.get(entry=second.pk).table_id,
        "another tournament": Table.objects.get(game=started(2).pk).pk,
        "nowhere": 10**18 - 1,
    }[where]
    said = _asks(client, first, table)
    assert said["table"] == Seat.objects.get(entry=first.pk).table_id
    assert (said["left"], said["rebuy"]) == (6, None)
    assert _asks(client, first)["rebuy"] is not None


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5", "1 ", "9" * 19, "1;", "None"])
def test_a_table_id_without_number_is_refused_with_a_sentence(
    house: Redis, client: Client, wrong: str
) -> None:
    tournament = started(2)
    client.force_login(somebody(tournament).user)
    answer = client.get(f"/tournaments/{tournament.pk}/seat/", {"table": wrong})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_table")
    assert answer.json()["message"] == "A table is named by its number."


def test_a_busted_player_and_a_stranger_have_no_seat(house: Redis, client: Client) -> None:
    tournament = started(2)
    [stranger] = users_without_entry(1)
    client.force_login(stranger)
    table = Table.objects.get(game=tournament.pk).pk
    for query in ({}, {"table": table}):
        said = client.get(f"/tournaments/{tournament.pk}/seat/", query).json()
        assert (said["table"], said["rank"], said["rebuy"]) == (None, None, None)
