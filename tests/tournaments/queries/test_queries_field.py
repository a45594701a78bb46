"""Numbers of a field counted by the database equal those counted in Python."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.core.paginator import Paginator
from redis import Redis

from config import limits
from tables.models import Seat, Table
from tests.tournaments.cast import STACK, started
from tests.tournaments.queries.player_names import NAMES
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.pages import tabs
from tournaments.queries import field, mine, overview, players
from tournaments.queries.players import PlayerRow
from tournaments.queries.scene import scene


def leave(seat: Seat, to: Table, at: int) -> Move:
    """Move the player of a seat to another table, on the way."""
    move = Move.objects.create(
        tournament_id=seat.table.game,
        entry_id=seat.entry,
        reason="balance",
        state="left",
        from_table=seat.table,
        from_seat=seat.seat,
        to_table=to,
        to_seat=at,
        chips=seat.chips,
        version=1,
    )
    seat.delete()
    return move


@pytest.mark.rule("T-08")
def test_all_queries_give_one_average_while_a_player_is_on_the_way(house: Redis) -> None:
    tournament = started(8, seats_per_table=4)
    first, second = Table.objects.order_by("number")
    mover, other = first.seats.order_by("seat")[:2]
    Seat.objects.filter(pk=mover.pk).update(chips=STACK + 800)
    Seat.objects.filter(pk=other.pk).update(chips=STACK - 800)
    mover.refresh_from_db()
    watcher = second.seats.order_by("seat")[0].user
    seen, before = overview.overview(tournament), mine.standing(tournament, watcher)
    assert (seen.average, before.average, before.rank) == (STACK, STACK, 2)
    leave(mover, second, 9)
    now = overview.overview(tournament)
    assert (now.average, now.chips) == (seen.average, seen.chips) == (STACK, 8 * STACK)
    assert (now.largest, now.smallest) == (STACK + 800, STACK - 800)
    assert mine.standing(tournament, watcher) == before
    on_the_way = mine.standing(tournament, mover.user)
    assert (on_the_way.table, on_the_way.rank, on_the_way.average) == (second.pk, 1, STACK)


@pytest.mark.rule("E-03")
def test_chips_between_merged_entries_are_in_play(house: Redis) -> None:
    tournament = started(4)
    seat = Seat.objects.order_by("pk")[0]
    offer = {"price": 0, "until_ms": 0, "kind": "merge", "state": "accepted"}
    Offer.objects.create(tournament=tournament, entry_id=seat.entry, chips=400, **offer)
    Seat.objects.filter(pk=seat.pk).update(chips=STACK - 400)
    counted = field.chips(tournament)
    assert (counted.total, counted.average) == (4 * STACK, STACK)
    assert (counted.smallest, counted.largest) == (STACK - 400, STACK)


def test_a_player_who_may_buy_again_counts_in_the_average(house: Redis) -> None:
    tournament = started(4)
    seat = Seat.objects.order_by("pk")[0]
    Entry.objects.filter(pk=seat.entry).update(state=Entry.State.PENDING)
    Seat.objects.exclude(pk=seat.pk).update(chips=STACK + STACK // 3)
    seat.delete()
    assert overview.overview(tournament).average == STACK


def any_field(chance: random.Random) -> Tournament:
    """A tournament with entries in every state, equal stacks, and players on the way."""
    tournament = started(chance.randrange(9, 16), seats_per_table=4)
    tables = list(Table.objects.filter(game=tournament.pk, status="open").order_by("number"))
    places = [*range(1, 30)]
    for entry in tournament.entries.order_by("pk"):
        entry.name = chance.choice(NAMES)
        seat = Seat.objects.select_related("table").get(entry=entry.pk)
        seat.chips = chance.choice((0, 500, 900, 900, 1_500))
        seat.save()
        fate = chance.choice(("sits", "sits", "moves", "out", "placed", "gone", "registered"))
        if fate == "moves":
            leave(seat, chance.choice(tables), 10 + seat.pk % 1_000)
        elif fate != "sits":
            seat.delete()
        if fate in ("out", "placed"):
            entry.state = Entry.State.OUT
        if fate == "placed":
            entry.place, entry.prize = chance.choice(places[:4]), chance.randrange(900)
        if fate in ("gone", "registered"):
            entry.state = chance.choice(("unregistered", "refunded")) if fate == "gone" else fate
        entry.save()
    return Tournament.objects.get(pk=tournament.pk)


def by_hand(tournament: Tournament) -> list[PlayerRow]:
    """Rows of all players, counted in Python from every seat, move and entry."""
    at = {
        move.entry_id: (move.chips, move.to_table, move.to_seat)
        for move in Move.objects.filter(tournament=tournament, state="left")
    }
    for seat in Seat.objects.filter(table__game=tournament.pk).select_related("table"):
        at[seat.entry] = (seat.chips, seat.table, seat.seat)
    rows = []
    for entry in tournament.entries.exclude(state__in=("unregistered", "refunded")):
        chips, table, place = at.get(entry.pk, (0, None, None))
        above = sum(other > chips for other, _, _ in at.values())
        rows.append(
            PlayerRow(
                entry=entry.pk,
                user=entry.user_id,
                name=entry.name,
                state=entry.state,
                chips=chips,
                rank=1 + above if table else None,
                table=table.pk if table else None,
                table_number=table.number if table else None,
                seat=place,
                place=entry.place,
                prize=entry.prize,
                bounties=entry.bounties_won,
            )
        )

    def order(row: PlayerRow) -> tuple[int, int, str, int]:
        if row.rank is not None:
            return 0, row.rank, row.name, row.entry
        if row.place is not None:
            return 1, row.place, row.name, row.entry
        return 2, 0, row.name.casefold(), row.entry

    return sorted(rows, key=order)


@pytest.mark.parametrize("seed", range(4))
def test_the_player_list_equals_the_one_counted_in_python(
    house: Redis, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    tournament = any_field(chance)
    rows = by_hand(tournament)
    assert players.players(tournament) == rows
    assert players.count(tournament) == len(rows)
    stacks = [row.chips for row in rows if row.rank is not None]
    seen = overview.overview(tournament)
    assert (seen.chips, seen.largest, seen.smallest) == (sum(stacks), max(stacks), min(stacks))
    monkeypatch.setattr(tabs, "PLAYERS_PER_PAGE", 4)
    paged = Paginator(rows, 4)
    for row in rows:
        user = tournament.entries.get(pk=row.entry).user
        assert players.own(tournament, user) == [row]
        own = tabs.overview_context(tournament, scene(tournament), user, entered=True)
        assert own["overview"].me == row
        page = chance.choice(paged.page_range)
        shown = tabs.tab_context("players", tournament, user, str(page))
        there = list(paged.page(page))
        assert list(shown["players"]) == there
        assert shown["pinned"] == [one for one in [row] if one not in there]


@pytest.mark.parametrize("seed", range(4))
def test_every_player_is_told_the_rank_of_the_list(house: Redis, seed: int) -> None:
    tournament = any_field(random.Random(seed))
    rows = players.players(tournament)
    for row in rows:
        user = tournament.entries.get(pk=row.entry).user
        told = mine.standing(tournament, user, row.table)
        assert (told.rank, told.table, told.place) == (row.rank, row.table, row.place)
        assert told.average == field.chips(tournament).average


def test_many_ranks_in_a_second_count_the_field_once(
    house: Redis, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(limits, "STACKS_RECENT_MS", 60_000)
    field.forget_recent()
    tournament = started(4)
    seats = list(Seat.objects.order_by("pk").select_related("user"))
    with django_assert_num_queries(3):
        mine.standing(tournament, seats[0].user)
    Seat.objects.filter(pk=seats[1].pk).update(chips=STACK + 1)
    for seat in seats:
        with django_assert_num_queries(1):
            told = mine.standing(tournament, seat.user)
        assert told.rank == 1, "the field is the one of a moment ago, the own stack is that of now"
    field.forget_recent()
    assert mine.standing(tournament, seats[0].user).rank == 2


def test_few_fields_are_kept(house: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STACKS_RECENT_MS", 60_000)
    monkeypatch.setattr(limits, "RANKED_FIELDS_MAX", 2)
    field.forget_recent()
    for _ in range(5):
        field.recent(started(2))
    assert len(field._recent) <= 2
    field.forget_recent()
