"""Several entries of one player: at different tables, until they merge into one."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from accounts.ledger import transfers
from accounts.users import bots
from tables.dealer.grants import Grant
from tables.models import Seat, Table
from tables.workers.opening import open_tables
from tests.tournaments.buying.rebuy_scene import next_hand
from tests.tournaments.cast import BUY_IN, Arena, chips_of, law, open_offer, passive, places_of
from tests.tournaments.entries.late_entries import pass_time
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.seating.several_entries import multi, send
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.engine.refusals import NoMoreEntries
from tournaments.engine.seating import draw_apart
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Entry, KnockOut, Offer, Tournament
from tournaments.monitor import audit
from tournaments.prizes import bounties, money
from tournaments.refusals import NoTableForEntry, OfferOver
from tournaments.running import sales, settlement, tick
from tournaments.seating import merging


def apart() -> None:
    """Assert that no player has two seats at a table."""
    seats = Counter(Seat.objects.values_list("table", "user"))
    assert not [place for place, times in seats.items() if times > 1]


@pytest.mark.rule("E-03")
@given(
    owned=st.lists(st.integers(1, 4), min_size=1, max_size=12),
    seats=st.integers(2, 9),
    seed=st.integers(0, 99),
)
def test_entries_of_one_player_are_drawn_to_different_tables(
    owned: list[int], seats: int, seed: int
) -> None:
    names = iter(range(1, 100))
    groups = [[next(names) for _ in range(count)] for count in owned]
    tables = draw_apart(groups, seats, random.Random(seed))
    assert sorted(e for table in tables for e in table.values()) == list(range(1, sum(owned) + 1))
    sizes = [len(table) for table in tables]
    assert max(sizes) - min(sizes) <= 1 and max(sizes) <= seats
    owner = {entry: number for number, group in enumerate(groups) for entry in group}
    for table in tables:
        assert len({owner[entry] for entry in table.values()}) == len(table)


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-08")
@pytest.mark.rule("N-05")
def test_a_merged_entry_gives_away_chips_and_bounty_and_takes_the_lowest_place(
    house: Redis,
) -> None:
    tournament = multi(4, 2, bounty=500, merge_at=0, bubble_places=0, payout_preset="wide")
    apart()
    user = bots.create(1)[0]
    small, large = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    other = Seat.objects.filter(table=large.table).exclude(pk=large.pk).order_by("pk")[0]
    Seat.objects.filter(pk=large.pk).update(chips=large.chips + 100)
    Seat.objects.filter(pk=other.pk).update(chips=other.chips - 100)
    tournament.refresh_from_db()
    with tournament_transaction(tournament.pk) as tx:
        merging.absorb(tx, small, large.entry)
    tournament.refresh_from_db()
    merged, into = Entry.objects.get(pk=small.entry), Entry.objects.get(pk=large.entry)
    assert (merged.state, merged.merged_into_id, merged.head) == ("merged", into.pk, 0)
    assert into.head == 1_000 and tournament.left == 7
    assert events_of_type(tournament.member, "head_changed")[-1].endswith(
        f'"entry":{into.pk},"head":1000}}'.encode()
    )
    assert bounties.heads(tournament) == {into.pk: 1_000}, "equal to a fresh snapshot"
    assert KnockOut.objects.get(entry=merged).winners == []
    offer = Offer.objects.get(kind="merge")
    assert (offer.entry_id, offer.chips, offer.cost) == (into.pk, small.chips, 0)
    assert chips_of(tournament.pk) == audit.sold_chips(tournament)
    house.flushall()
    open_tables(list(Table.objects.values_list("pk", flat=True)))
    Arena(tournament.pk, seed=3).run()
    merged.refresh_from_db()
    assert merged.place == 8, "the lowest live place when it merged"
    assert transfers.balance(money.bounties(tournament)) == 0
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
@pytest.mark.parametrize("merged_first", [True, False])
def test_a_player_with_merged_chips_keeps_the_seat_after_a_refused_rebuy(
    house: Redis, merged_first: bool
) -> None:
    tournament = multi(
        4, 2, late_ends="never_open", late_value=0, rebuys_max=1, rebuy_until_level=1
    )
    user = bots.create(1)[0]
    small, large = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    entry, chips = Entry.objects.get(pk=large.entry), large.chips
    dear = transfers.balance(money.player(user)) + 1

    def asks() -> None:
        Offer.objects.create(
            tournament=tournament,
            entry=entry,
            kind="rebuy",
            state="accepted",
            price=dear,
            chips=chips,
            until_ms=0,
        )

    with tournament_transaction(tournament.pk) as tx:
        if not merged_first:
            asks()
        merging.absorb(tx, small, entry.pk)
        if merged_first:
            asks()
        Entry.objects.filter(pk=entry.pk).update(state="pending")
        Seat.objects.filter(pk=large.pk).update(chips=0)
        sales.carry_out(tx, large.table)
    large.refresh_from_db()
    entry.refresh_from_db()
    assert (large.chips, entry.state) == (small.chips, "seated")
    states = dict(Offer.objects.values_list("kind", "state"))
    assert states == {"merge": "done", "rebuy": "declined"}
    assert transfers.balance(money.player(user)) == dear - 1


@pytest.mark.rule("E-03")
@pytest.mark.rule("T-07")
def test_a_player_waiting_for_merged_chips_is_not_placed_when_another_busts(house: Redis) -> None:
    tournament = multi(4, 2)
    user = bots.create(1)[0]
    small, large = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    loser, heir, _ = Seat.objects.filter(table=large.table).exclude(pk=large.pk).order_by("pk")
    few = Seat.objects.filter(pk__in=[large.pk, loser.pk])
    Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + 2 * (large.chips - 100))
    few.update(chips=100)
    house.flushall()
    open_tables([large.table_id])
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert large.table_id in arena.tables()
    assert arena.step(large.table_id) == "grant" and arena.step(large.table_id) == "hand"
    with tournament_transaction(tournament.pk) as tx:
        merging.absorb(tx, small, large.entry)
        settlement.review_prizes(tx)
    arena.states[large.table_id] = knocked_out(arena.states[large.table_id], {100})
    assert arena.step(large.table_id) == "settled"
    entry = Entry.objects.get(pk=large.entry)
    assert (entry.state, entry.place) == ("pending", None)
    assert Entry.objects.get(pk=loser.entry).place == 7
    law(tournament.pk)
    arena.step(large.table_id)
    entry.refresh_from_db()
    assert (entry.state, entry.place) == ("seated", None)
    assert Seat.objects.get(entry=entry.pk).chips == small.chips
    law(tournament.pk)


@pytest.mark.rule("E-03")
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, {}),
        (2, {"merge_at": 5}),
        (3, {"bounty": 400, "progressive_bp": 5_000}),
        (4, {"late_ends": "at_left", "late_value": 10, "rebuys_max": 0}),
    ],
)
def test_a_whole_tournament_of_players_with_several_entries(
    house: Redis, seed: int, options: dict[str, Any]
) -> None:
    tournament = multi(7, 3, **options)
    assert Table.objects.count() >= 5
    arena = Arena(tournament.pk, seed)
    steps = Counter[str]()

    def check() -> None:
        steps["all"] += 1
        if steps["all"] % 15 == 0:
            apart()
            law(tournament.pk)

    arena.run(after=check)
    tournament.refresh_from_db()
    assert tournament.state == "finished" and tournament.left == 1
    assert len(places_of(tournament.pk)) == 21
    assert sum(prize for _, prize in places_of(tournament.pk)) == 21 * BUY_IN
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()
    assert not Offer.objects.filter(state="accepted").exists()
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-03")
def test_entries_per_player_are_limited_and_never_share_a_table(house: Redis) -> None:
    tournament = multi(3, 1, late_ends="at_level", late_value=5)
    Tournament.objects.update(entries_max=2, several_at_once=True)
    Entry.objects.update(slot=1)
    user = bots.create(1)[0]
    before = Entry.objects.count()
    with pytest.raises(NoTableForEntry):
        registration.register(user, tournament)
    assert Entry.objects.count() == before == Tournament.objects.get().entrants
    other = open_offer(name="other", players_max=20, entries_max=2, several_at_once=True)
    for _ in range(2):
        registration.register(user, other)
    held = transfers.balance(money.player(user))
    with pytest.raises(NoMoreEntries):
        registration.register(user, other)
    assert Entry.objects.filter(tournament=other).count() == 2
    assert transfers.balance(money.player(user)) == held


@pytest.mark.rule("E-03")
@pytest.mark.parametrize("merge_at", range(6))
def test_a_boundary_searches_entries_to_merge_only_near_the_merge_limit(
    house: Redis, merge_at: int
) -> None:
    tournament = multi(4, 2, merge_at=merge_at)
    tables = list(Table.objects.order_by("pk"))
    with CaptureQueriesContext(connection) as seen:
        found = [merge for table in tables for merge in merging.due(tournament, table)]
    assert len(found) == (4 if merge_at >= 4 else 0), "one of the two entries of each player"
    assert len(seen) == 0 or merge_at >= 4


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-05")
@pytest.mark.rule("E-07")
def test_an_entry_that_merges_buys_no_add_on_any_more(house: Redis) -> None:
    options = {"rebuys_max": 1, "rebuy_until_level": 1, "add_on": True, "add_on_price": 700}
    tournament = multi(4, 2, merge_at=4, late_ends="never_open", late_value=0, **options)
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    assert Offer.objects.filter(kind="add_on", state="open").count() == 8
    arena = Arena(tournament.pk)
    for table in arena.tables():
        arena.step(table)
    merged = Entry.objects.filter(state="merged").select_related("user")
    assert merged, "the boundaries merge entries"
    for entry in merged:
        offer = Offer.objects.get(entry=entry, kind="add_on")
        with pytest.raises(OfferOver):
            sales.answer(entry.user, offer.pk, buy=True)
    Offer.objects.filter(state="open").update(until_ms=1)
    for _ in range(6):
        for table in arena.tables():
            arena.step(table)
    tick.tick(tournament.pk)
    assert not Offer.objects.filter(state__in=Offer.PENDING).exists(), "nothing is sold any more"
    assert Tournament.objects.get().pool == 8 * BUY_IN


@pytest.mark.rule("E-03")
def test_merged_chips_go_on_with_the_entry_they_were_given_to(house: Redis) -> None:
    tournament = multi(4, 3)
    user = bots.create(1)[0]
    seats = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    first, second, third = seats
    with tournament_transaction(tournament.pk) as tx:
        merging.absorb(tx, first, second.entry)
        merging.absorb(tx, second, third.entry)
    offer = Offer.objects.get(kind="merge", state="accepted")
    assert (offer.entry_id, offer.chips) == (third.entry, first.chips + second.chips)
    law(tournament.pk)


@pytest.mark.rule("T-09")
@pytest.mark.rule("E-03")
def test_hand_for_hand_begins_when_merges_leave_one_above_the_money(house: Redis) -> None:
    five_paid = [{"fewest": 2, "most": 80, "shares": [2_000] * 5}]
    tournament = multi(6, 2, merge_at=6, bubble_places=1, payout_table=five_paid)
    arena = Arena(tournament.pk)
    arena.choose = passive
    for table in arena.tables():
        arena.step(table)
    tournament.refresh_from_db()
    assert (tournament.left, tournament.hand_for_hand) == (6, True)
    law(tournament.pk)


@pytest.mark.rule("E-03")
def test_a_player_moved_while_merged_chips_are_due_gets_them_before_the_next_hand(
    house: Redis,
) -> None:
    tournament = multi(4, 2, seats_per_table=5)
    user = bots.create(1)[0]
    small, large = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    with tournament_transaction(tournament.pk) as tx:
        merging.absorb(tx, small, large.entry)
    heir = Seat.objects.filter(table=large.table).exclude(pk=large.pk).order_by("pk")[0]
    Seat.objects.filter(pk=heir.pk).update(chips=heir.chips + large.chips)
    large.chips = 0
    send(large, small.table)
    Entry.objects.filter(pk=large.entry).update(state="pending")
    Tournament.objects.update(hand_for_hand=True, round=1, round_open=True)
    granted = next_hand(small.table_id)
    assert isinstance(granted, Grant)
    assert {seat.entry: seat.chips for seat in granted.roster}[large.entry] == small.chips
    law(tournament.pk)


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
def test_a_closing_table_waits_for_an_own_entry_that_may_buy_again(house: Redis) -> None:
    """A stack merged into it would be lost with the entry when its player buys no more."""
    sells = {"rebuys_max": 1, "rebuy_until_level": 5, "late_ends": "at_level", "late_value": 5}
    tournament = multi(2, 2, seats_per_table=6, merge_at=0, bounty=500, **sells)
    arena = Arena(tournament.pk)
    first, second = arena.tables()
    busted, winner = Seat.objects.filter(table=first).order_by("pk")
    Seat.objects.filter(pk=winner.pk).update(chips=winner.chips + busted.chips)
    Seat.objects.filter(pk=busted.pk).update(chips=0)
    Entry.objects.filter(pk=busted.entry).update(state="pending")
    assert arena.step(second) == "balancing"
    assert not Offer.objects.filter(kind="merge").exists()
    law(tournament.pk)
    Entry.objects.filter(pk=busted.entry).update(state="seated")
    Seat.objects.filter(pk=busted.pk).update(chips=1)
    Seat.objects.filter(pk=winner.pk).update(chips=winner.chips + busted.chips - 1)
    assert arena.step(second) == "close"
    into = Entry.objects.filter(state="merged").values_list("merged_into", flat=True)
    assert set(into) == {busted.entry, winner.entry}
    law(tournament.pk)
