"""Hand-for-hand: rounds start together, are placed whole, and cost the clock a fixed time."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.ledger import transfers
from tables.dealer import director
from tables.dealer.grants import Grant, Wait
from tables.models import Seat, Table
from tables.workers.opening import open_tables
from tests.tournaments.cast import STACK, Arena, chips_of, passive, places_of, started
from tests.tournaments.entries.late_entries import late, pass_time
from tests.tournaments.events.announced import tournament_event_types
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.engine import levels
from tournaments.models import Entry, KnockOut, Move, Tournament
from tournaments.prizes import money
from tournaments.running import operations, rulings, tick

HOUR_MS = 3_600_000
CHARGE_MS = 1_000


@pytest.mark.rule("T-09")
@pytest.mark.rule("E-07")
def test_a_bubble_is_played_round_by_round(house: Redis) -> None:
    tournament = started(12, seats_per_table=3, bubble_places=4, bubble_charge_ms=CHARGE_MS)
    arena = Arena(tournament.pk, seed=11)
    rounds: set[int] = set()

    def check() -> None:
        tournament.refresh_from_db()
        if not tournament.hand_for_hand:
            return
        assert tournament.stops == ["hand_for_hand"]
        rounds.add(tournament.round)
        rows = Table.objects.filter(game=tournament.pk, status="open")
        dealt = [row.round for row in rows if row.granted_hand > row.hand]
        assert all(was == tournament.round - 1 for was in dealt if was), "one hand a round"
        unplaced = KnockOut.objects.filter(tournament=tournament, placed=False)
        assert all(out.round == tournament.round for out in unplaced)

    arena.run(after=check)
    tournament.refresh_from_db()
    assert rounds, "the bubble was reached"
    assert tournament.state == "finished"
    assert tournament.charged_ms == CHARGE_MS * tournament.round
    assert "hand_for_hand_began" in tournament_event_types(
        tournament
    ) and "hand_for_hand_ended" in tournament_event_types(tournament)
    assert places_of(tournament.pk)[0][0] == 1
    assert sum(prize for _, prize in places_of(tournament.pk)) == tournament.pool


@pytest.mark.rule("T-09")
@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ({"bubble_places": 4}, True),
        ({"bubble_places": 3}, False),
        ({"bubble_final": 3}, True),
        ({"bubble_final": 2}, False),
    ],
)
def test_a_field_close_to_the_money_starts_hand_for_hand(
    house: Redis, options: dict[str, int], holds: bool
) -> None:
    tournament = started(6, seats_per_table=3, **options)
    assert tournament.hand_for_hand is holds
    assert tournament.stops == (["hand_for_hand"] if holds else [])
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()
    arena.hand(first)
    assert arena.step(first) == ("hand_for_hand" if holds else "grant")
    arena.hand(second)
    tournament.refresh_from_db()
    assert tournament.round == int(holds)


@pytest.mark.rule("T-09")
@pytest.mark.rule("E-07")
def test_the_end_of_sales_close_to_the_final_table_begins_hand_for_hand(house: Redis) -> None:
    tournament = late(8, seats_per_table=6, late_value=1, bubble_final=2)
    tick.tick(tournament.pk)
    begun = Tournament.objects.get(pk=tournament.pk)
    assert begun.entries_open and not begun.hand_for_hand, "the start closes no sales"
    pass_time(tournament, 15)
    tournament.refresh_from_db()
    assert tournament.pool is not None and tournament.hand_for_hand
    told = tournament_event_types(tournament)
    assert told.index("hand_for_hand_began") > told.index("pool_fixed")


@pytest.mark.rule("T-09")
def test_the_next_round_starts_at_all_tables_together(house: Redis) -> None:
    tournament = started(6, seats_per_table=3, bubble_places=5)
    begin(tournament)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()
    assert arena.step(first) == "grant", "both tables are between hands: the first round opens"
    assert arena.step(first) == "hand" and arena.step(first) == "settled"
    assert [arena.step(first) for _ in range(3)] == ["hand_for_hand"] * 3
    assert arena.step(second) == "grant"
    assert arena.step(first) == "hand_for_hand"
    assert arena.step(second) == "hand" and arena.step(second) == "settled"
    assert arena.step(first) == "grant"
    assert Table.objects.get(pk=second).round == 1


@pytest.mark.rule("T-09")
def test_a_lone_player_of_an_open_round_waits_without_locks_of_other_tables(house: Redis) -> None:
    tournament = started(6, seats_per_table=3, bubble_places=5)
    begin(tournament)
    arena = Arena(tournament.pk)
    first, second = arena.tables()
    Tournament.objects.filter(pk=tournament.pk).update(round=1, round_open=True)
    assert arena.step(second) == "grant"
    for seat in Seat.objects.filter(table=first, seat__gt=1):
        rulings.disqualify(seat.entry, actor=None, reason="all but one of the table")
    assert arena.step(first) == "players", "the rulings are carried out"
    with CaptureQueriesContext(connection) as seen:
        answer = director.of("tournament").next(first, 1)
    assert isinstance(answer, Wait) and answer.reason == "players"
    locked = [query["sql"] for query in seen if "FOR NO KEY UPDATE" in query["sql"]]
    assert len(locked) == 1 and f'"id" = {first} FOR' in locked[0], "only its own table"


@pytest.mark.rule("T-09")
def test_lone_players_of_an_open_round_go_to_the_final_table(
    house: Redis,
) -> None:
    tournament = started(6, seats_per_table=3, bubble_places=5, payout_preset="winner_takes_all")
    begin(tournament)
    arena = Arena(tournament.pk)
    first, second = arena.tables()
    Tournament.objects.filter(pk=tournament.pk).update(round=1, round_open=True)
    for seat in Seat.objects.filter(seat__gt=1):
        rulings.disqualify(seat.entry, actor=None, reason="all but one of each table")
    for _ in range(20):
        for table in (first, second):
            arena.step(table)
        tournament.refresh_from_db()
        if not tournament.hand_for_hand:
            break
    assert tournament.left == 2 and not tournament.hand_for_hand and not tournament.round_open
    assert tournament.charged_ms == 0, "no hand was played in that round"
    arena.run()
    tournament.refresh_from_db()
    assert tournament.state == "finished"


@pytest.mark.rule("T-07")
@pytest.mark.parametrize(("rule", "places"), [("by_stack", [4, 5, 6]), ("share", [4, 4, 6])])
def test_busts_at_two_tables_in_one_round_are_placed_by_stack(
    house: Redis, rule: str, places: list[int]
) -> None:
    tournament = started(
        6, seats_per_table=3, bubble_places=5, tie_rule=rule, payout_preset="winner_takes_all"
    )
    arena = bust(house, tournament, tables=2)
    tournament.refresh_from_db()
    assert tournament.left == 3 and not places_of(tournament.pk)
    arena.step(arena.tables()[0])
    assert [place for place, _ in places_of(tournament.pk)] == places
    out = Entry.objects.filter(place__isnull=False).order_by("place", "-knock_out__stack")
    assert [entry.knock_out.stack for entry in out] == [200, 150, 100]
    assert chips_of(tournament.pk) == 9_000


@pytest.mark.rule("T-07")
@pytest.mark.rule("T-15")
def test_a_player_disqualified_in_a_round_places_below_its_busts(house: Redis) -> None:
    tournament = started(6, seats_per_table=3, bubble_places=5, payout_preset="winner_takes_all")
    arena = bust(house, tournament, tables=0)
    cheat, busted = Seat.objects.get(chips=4_200), Seat.objects.get(chips=150)
    assert arena.step(busted.table_id) == "grant", "the round is open"
    rulings.disqualify(cheat.entry, actor=None, reason="plays from two accounts")
    assert arena.step(cheat.table_id) == "grant"
    arena.step(busted.table_id)
    arena.states[busted.table_id] = knocked_out(arena.states[busted.table_id], {150})
    arena.step(busted.table_id)
    arena.hand(cheat.table_id)
    assert not places_of(tournament.pk)
    arena.step(cheat.table_id)
    placed = dict(Entry.objects.filter(place__isnull=False).values_list("pk", "place"))
    assert placed == {busted.entry: 5, cheat.entry: 6}


def bust(house: Redis, tournament: Tournament, *, tables: int) -> Arena:
    """Let stacks 100 and 200 at the first table, and 150 at the second, bust in one round."""
    rows = list(Table.objects.order_by("pk"))
    stacks = [(100, 200, 4_200), (150, 2_150, 2_200)]
    for table, chips in zip(rows, stacks, strict=True):
        for seat, amount in zip(Seat.objects.filter(table=table), chips, strict=True):
            Seat.objects.filter(pk=seat.pk).update(chips=amount)
    begin(tournament)
    house.flushall()
    open_tables([table.pk for table in rows])
    arena = Arena(tournament.pk)
    arena.choose = passive
    for number in arena.tables()[:tables]:
        assert arena.step(number) == "grant"
        arena.step(number)
        arena.states[number] = knocked_out(arena.states[number], {100, 200, 150})
        arena.step(number)
    return arena


@pytest.mark.rule("T-12")
def test_busts_of_an_open_round_are_paid_when_a_tournament_is_cancelled_forward(
    house: Redis,
) -> None:
    tournament = started(6, seats_per_table=3, bubble_final=3)
    tournament.refresh_from_db()
    assert tournament.pool is not None
    tournament.prizes = [tournament.pool // 6] * 6
    bust(house, tournament, tables=1)
    assert not places_of(tournament.pk), "the round is open"
    out = [row.entry for row in KnockOut.objects.select_related("entry__user")]
    had = [transfers.held_by(entry.user) for entry in out]
    operations.cancel_forward(tournament.pk, reason="flood")
    has = [transfers.held_by(entry.user) for entry in out]
    got = [now - was for now, was in zip(has, had, strict=True)]
    assert got == [tournament.pool // 6] * 2
    assert {place for place, _ in places_of(tournament.pk)} >= {5, 6}
    assert transfers.balance(money.pool(tournament)) == 0


@pytest.mark.rule("T-09")
def test_the_clock_stands_during_hand_for_hand(house: Redis) -> None:
    tournament = started(6, seats_per_table=3)
    stood = levels.stop(tournament.clock(), (tournament.started_ms or 0) + 5_000, "hand_for_hand")
    assert levels.elapsed_ms(stood, (tournament.started_ms or 0) + HOUR_MS) == 5_000


@pytest.mark.rule("T-08")
def test_a_player_on_the_way_to_a_closing_table_is_sent_to_another(house: Redis) -> None:
    tournament = started(12, seats_per_table=4)
    begin(tournament)
    first, second, third = Table.objects.order_by("number")
    keep = {first: 3, second: 2, third: 2}
    gone = [seat for table, left in keep.items() for seat in list(table.seats.all())[left:]]
    on_the_way = gone.pop(0)
    heir = first.seats.first()
    assert heir is not None
    heir.chips += sum(seat.chips for seat in gone)
    heir.save()
    Entry.objects.filter(pk__in=[seat.entry for seat in gone]).update(state="out")
    Seat.objects.filter(pk__in=[seat.pk for seat in (on_the_way, *gone)]).delete()
    free = next(number for number in range(1, 5) if not third.seats.filter(seat=number).exists())
    move = Move.objects.create(
        tournament=tournament,
        entry_id=on_the_way.entry,
        reason="balance",
        state="left",
        from_table=first,
        from_seat=on_the_way.seat,
        to_table=third,
        to_seat=free,
        chips=on_the_way.chips,
        version=1,
    )
    Tournament.objects.update(left=8, balance_version=5)
    said = director.of("tournament").next(first.pk, 1)
    assert isinstance(said, Grant)
    third.refresh_from_db()
    assert third.status == "closed" and not third.seats.exists()
    move.refresh_from_db()
    assert move.to_table_id in (first.pk, second.pk)
    assert chips_of(tournament.pk) == 12 * STACK
    other = director.of("tournament").next(second.pk, 1)
    assert isinstance(other, Grant)
    seated = {seat.entry for seat in (*said.roster, *other.roster)}
    assert len(seated) == 8 and on_the_way.entry in seated


def begin(tournament: Tournament) -> None:
    """Begin hand-for-hand: the first round opens when every table is between hands."""
    tournament.hand_for_hand = True
    tournament.set_clock(
        levels.stop(tournament.clock(), tournament.started_ms or 0, "hand_for_hand")
    )
    tournament.save()
