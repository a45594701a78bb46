"""Whole tournaments of formats with their own end, and terms that contradict a format."""

from __future__ import annotations

import pytest
from django.db.models import Sum
from redis import Redis

from accounts.ledger import promotions
from accounts.refusals import words_of
from config.refusals import Refusal
from tables.models import Seat, Table
from tables.workers.opening import open_tables
from tests.tournaments.cast import (
    BUY_IN,
    STACK,
    Arena,
    offer,
    open_offer,
    passive,
    places_of,
    started,
)
from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.running.finished import assert_finished
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.engine.formats import fifty_fifty
from tournaments.models import Announcement, Entry, KnockOut, Tournament
from tournaments.running import operations
from tournaments.schedule import making


def fixed(players: int, format: str, **fields: object) -> Tournament:
    """A running tournament of a format with a set number of players at one table."""
    seats = {"seats_per_table": players, "players_min": players}
    return started(players, **({"format": format} | seats | fields))


@pytest.mark.rule("F-06")
@pytest.mark.rule("F-09")
@pytest.mark.parametrize("seed", [1, 5, 6])
@pytest.mark.parametrize("players", [2, 6, 10])
def test_a_fifty50_stops_at_half_and_pays_by_its_formula(
    house: Redis, players: int, seed: int
) -> None:
    tournament = fixed(players, "fifty_fifty")
    stacks: list[int] = []

    def note() -> None:
        if Seat.objects.filter(chips=0).exists() or not Seat.objects.exists():
            return
        stacks[:] = Seat.objects.order_by("-chips").values_list("chips", flat=True)

    arena = Arena(tournament.pk, seed)
    arena.run(after=note)
    assert_finished(tournament)
    half = players // 2
    assert tournament.left <= half
    assert len(stacks) > half, "play continued while more than half were in"
    assert all((place or 0) <= half for place, prize in places_of(tournament.pk) if prize)
    left = tournament.entries.filter(state=Entry.State.WON)
    equal_share = players * BUY_IN // 2 // half
    assert all(entry.prize >= equal_share for entry in left)
    last = KnockOut.objects.filter(tournament=tournament).order_by("-order").first()
    assert last is not None and last.placed


@pytest.mark.rule("F-06")
def test_the_prizes_of_a_fifty50_are_those_of_its_last_stacks(house: Redis) -> None:
    """Six in, three left with about 1,000, 2,000 and 6,000 chips of 9,000."""
    tournament = fixed(6, "fifty_fifty")
    stacks = last_hand(house, tournament, [1_000, 2_000, 5_940, 30, 20, 10], {30, 20, 10})
    assert_finished(tournament)
    assert [prize for _, prize in places_of(tournament.pk)[:3]] == fifty_fifty(6 * BUY_IN, stacks)


@pytest.mark.rule("F-07")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("players", [2, 4, 8])
def test_double_or_nothing_pays_half_the_field_twice_the_buy_in(
    house: Redis, players: int, seed: int
) -> None:
    tournament = fixed(players, "double_or_nothing")
    Arena(tournament.pk, seed).run()
    assert_finished(tournament)
    prizes = [prize for _, prize in places_of(tournament.pk)]
    assert tournament.left <= players // 2
    shared = KnockOut.objects.filter(tournament=tournament, entry__prize__gt=0).exists()
    if not shared:
        assert prizes == [2 * BUY_IN] * (players // 2) + [0] * (players // 2)


@pytest.mark.rule("F-09")
@pytest.mark.parametrize(
    ("format", "prizes"),
    [
        ("double_or_nothing", [2_000, 2_000, 2_000, 0, 0, 0]),
        ("fifty_fifty", [4_000, 1_000, 1_000, 0, 0, 0]),
    ],
)
def test_more_than_half_out_in_one_hand_fill_the_paid_places(
    house: Redis, format: str, prizes: list[int]
) -> None:
    """Five of six bust at once: the two largest of them get only the equal share."""
    tournament = fixed(6, format)
    gone = [1_000, 900, 800, 700, 600]
    assert len(last_hand(house, tournament, [*gone, 5_000], set(gone))) == 1
    assert_finished(tournament)
    assert places_of(tournament.pk) == list(zip(range(1, 7), prizes, strict=True))
    best = KnockOut.objects.filter(entry__place__in=(2, 3)).order_by("entry__place")
    assert list(best.values_list("stack", flat=True)) == [1_000, 900]


@pytest.mark.rule("F-08")
def test_heads_up_is_two_players_and_one_winner(house: Redis) -> None:
    tournament = fixed(2, "heads_up")
    Arena(tournament.pk, 3).run()
    assert_finished(tournament)
    assert places_of(tournament.pk) == [(1, 2 * BUY_IN), (2, 0)]


@pytest.mark.rule("T-10")
@pytest.mark.parametrize("added", [0, 5_001])
def test_a_freeroll_costs_nothing_and_pays_the_added_money(house: Redis, added: int) -> None:
    free = promotions.free()
    tournament = started(4, buy_in=0, fee=0, added=added, entries_max=1)
    held = tournament.entries.aggregate(paid=Sum("paid_buy_in"), fees=Sum("paid_fee"))
    assert held == {"paid": 0, "fees": 0}
    Arena(tournament.pk, 2).run()
    assert_finished(tournament)
    assert tournament.pool == added
    assert promotions.free() == free - added


@pytest.mark.rule("F-06")
def test_remaining_players_are_notified_of_the_end(house: Redis) -> None:
    tournament = fixed(4, "double_or_nothing")
    Arena(tournament.pk, 1).run()
    assert tournament_event_types(tournament)[-1] == "finished"
    for entry in tournament.entries.filter(state=Entry.State.WON):
        rows = Announcement.objects.filter(stream=f"user:{entry.user_id}").order_by("seq")
        assert b'"prize"' in bytes(rows.last().payload)  # type: ignore[union-attr]


SOUND = {"players_min": 6, "players_max": 6, "seats_per_table": 6}


@pytest.mark.rule("F-09")
@pytest.mark.rule("F-08")
@pytest.mark.rule("T-04")
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("odd_field", {"format": "fifty_fifty", "players_min": 5, "players_max": 5}),
        ("odd_field", {"format": "double_or_nothing", "players_min": 5, "players_max": 5}),
        ("set_number", {"format": "fifty_fifty", "players_min": 4}),
        ("one_table", {"format": "double_or_nothing", "seats_per_table": 3}),
        ("exact_players", {"format": "heads_up"}),
        ("exact_players", {"format": "spin"}),
        ("no_buying", {"format": "fifty_fifty", "entries_max": 2}),
        ("late_sit_and_go", {"late_ends": "at_level", "late_value": 3}),
        ("bad_offer", {"format": "double_or_nothing", "added": 100}),
        ("bad_offer", {"format": "double_or_nothing", "guarantee": 100_000}),
        ("bad_offer", {"format": "who_knows"}),
    ],
)
def test_an_offer_that_contradicts_its_format_is_refused(
    house: Redis, code: str, fields: dict[str, object]
) -> None:
    with pytest.raises(Refusal) as refused:
        offer(**(SOUND | fields))
    assert refused.value.code == code and words_of(refused.value)
    assert not Tournament.objects.exists()


@pytest.mark.rule("F-06")
def test_an_odd_field_never_starts(house: Redis) -> None:
    """A start by hand with one player missing is refused and changes nothing."""
    tournament = open_offer(format="fifty_fifty", **SOUND)
    with pytest.raises(Refusal) as refused:
        operations.start(tournament.pk)
    assert refused.value.code == "too_few_players"
    tournament.refresh_from_db()
    assert tournament.state == "registering" and not Table.objects.exists()


@pytest.mark.rule("F-06")
def test_the_next_one_of_a_series_has_the_same_format(house: Redis) -> None:
    tournament = offer(format="fifty_fifty", repeats=True, **SOUND)
    following = making.follow(tournament)
    assert following is not None and following.format == "fifty_fifty"


def last_hand(house: Redis, tournament: Tournament, chips: list[int], gone: set[int]) -> list[int]:
    """Play a hand of the only table from these stacks, in which the entries `gone` bust.

    Return the final stacks above zero, largest first.
    """
    table = Table.objects.get(game=tournament.pk, status="open")
    for seat, amount in zip(table.seats.order_by("seat"), chips, strict=True):
        Seat.objects.filter(pk=seat.pk).update(chips=amount)
    house.flushall()
    open_tables([table.pk])
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert arena.step(arena.tables()[0]) == "grant"
    arena.step(table.pk)
    arena.states[table.pk] = knocked_out(arena.states[table.pk], gone)
    arena.step(table.pk)
    stacks = [seat.chips for seat in arena.states[table.pk].seats if seat.chips]
    assert sum(stacks) == tournament.entrants * STACK
    return sorted(stacks, reverse=True)
