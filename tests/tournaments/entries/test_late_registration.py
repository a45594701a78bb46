"""Late registration: admission, seats, and the pool that is fixed at its end."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind
from tables.models import Seat, Table
from tests.tournaments.cast import BUY_IN, FEE, STACK, Arena, chips_of, passive, places_of
from tests.tournaments.entries.late_entries import MINUTE_MS, late, pass_time, users_without_entry
from tests.tournaments.events.announced import event_types
from tournaments.engine.refusals import RegistrationClosed
from tournaments.entries import registration
from tournaments.events import bells
from tournaments.models import Announcement, Entry, KnockOut, Move, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.queries import lobby_rows, overview
from tournaments.refusals import TournamentFull
from tournaments.running import tick


@pytest.mark.rule("E-01")
def test_a_late_player_draws_a_seat_at_the_shortest_table_and_a_full_stack(house: Redis) -> None:
    tournament = late(11, seats_per_table=6)
    short = min(Table.objects.all(), key=lambda table: table.seats.count())
    [player] = users_without_entry(1)
    entry = registration.register(player, tournament)
    move = Move.objects.get()
    assert (move.entry_id, move.reason, move.state) == (entry.pk, "late", "left")
    assert (move.to_table_id, move.chips, move.from_table_id) == (short.pk, STACK, None)
    tournament.refresh_from_db()
    assert (tournament.entrants, tournament.left, tournament.pool) == (12, 12, None)
    assert transfers.balance(money.pool(tournament)) == 12 * BUY_IN
    assert event_types(f"user:{player.pk}") == ["registered", "seated"]
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert short.pk in arena.tables()
    arena.hand(short.pk)
    seat = Seat.objects.get(entry=entry.pk)
    assert (seat.table_id, seat.seat) == (short.pk, move.to_seat)
    assert chips_of(tournament.pk) == 12 * STACK
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-01")
def test_a_new_table_opens_when_all_are_full_and_the_others_send_players(
    house: Redis,
) -> None:
    tournament = late(6, seats_per_table=6)
    registration.register(users_without_entry(1)[0], tournament)
    first, second = Table.objects.order_by("number")
    assert (first.seats.count(), second.seats.count()) == (6, 1)
    arena = Arena(tournament.pk)
    arena.choose = passive
    for _ in range(3):
        for table in arena.tables():
            arena.step(table)
    sizes = sorted(table.seats.count() for table in Table.objects.filter(status="open"))
    moving = Move.objects.filter(state="left").count()
    assert sum(sizes) + moving == 7 and sizes[0] >= 2
    assert chips_of(tournament.pk) == 7 * STACK


@pytest.mark.rule("E-01")
@pytest.mark.rule("E-07")
def test_late_registration_ends_after_its_level_and_fixes_the_pool(house: Redis) -> None:
    tournament = late(7, seats_per_table=9, late_value=1)
    assert overview.summary(tournament).shown == "late_registration"
    tick.tick(tournament.pk)
    registration.register(users_without_entry(1)[0], tournament)
    tournament.refresh_from_db()
    assert tournament.pool is None and not tournament.prizes
    pass_time(tournament, 15)
    tournament = Tournament.objects.get(pk=tournament.pk)
    assert not tournament.entries_open
    assert tournament.pool == 8 * BUY_IN == sum(tournament.prizes)
    assert event_types(tournament.member)[-2:] == ["entries_closed", "pool_fixed"]
    assert overview.summary(tournament).shown == "running"
    before = Entry.objects.count()
    with pytest.raises(RegistrationClosed):
        registration.register(users_without_entry(1)[0], tournament)
    assert Entry.objects.count() == before


@pytest.mark.rule("E-01")
def test_late_registration_ends_at_its_time_even_before_a_tick(house: Redis) -> None:
    tournament = late(4, late_ends="at_time", late_value=10 * MINUTE_MS)
    registration.register(users_without_entry(1)[0], tournament)
    row = Tournament.objects.get(pk=tournament.pk)
    row.started_ms = (row.started_ms or 0) - 10 * MINUTE_MS
    row.save(update_fields=["started_ms"])
    [player] = users_without_entry(1)
    with pytest.raises(RegistrationClosed):
        registration.register(player, tournament)
    assert not Entry.objects.filter(user=player).exists()
    assert not Announcement.objects.filter(stream=f"user:{player.pk}").exists()


@pytest.mark.rule("E-01")
@pytest.mark.parametrize(
    ("ends", "value", "closes_at"), [("at_left", 5, 5), ("at_first_out", 0, 7)]
)
def test_late_registration_ends_at_its_number_of_players_left(
    house: Redis, ends: str, value: int, closes_at: int
) -> None:
    tournament = late(8, seats_per_table=9, late_ends=ends, late_value=value)
    arena = Arena(tournament.pk, seed=3)
    seen: list[tuple[int, bool]] = []

    def look() -> None:
        row = Tournament.objects.get(pk=tournament.pk)
        seen.append((row.left, row.entries_open))
        unplaced = KnockOut.objects.filter(placed=False).exists()
        assert (row.pool is None) == row.entries_open
        assert unplaced == (row.entries_open and row.left < 8), "no place before the pool is fixed"

    arena.run(after=look)
    assert all(is_open == (left > closes_at) for left, is_open in seen)
    assert [place for place, _ in places_of(tournament.pk)] == list(range(1, 9))
    assert sum(prize for _, prize in places_of(tournament.pk)) == 8 * BUY_IN


@pytest.mark.rule("T-01")
@pytest.mark.rule("E-01")
def test_a_full_tournament_refuses_late_players_and_changes_nothing(house: Redis) -> None:
    tournament = late(6, players_max=6, seats_per_table=9)
    [player] = users_without_entry(1)
    held = transfers.balance(transfers.account(AccountKind.PLAYER, user=player))
    with pytest.raises(TournamentFull):
        registration.register(player, tournament)
    assert transfers.balance(transfers.account(AccountKind.PLAYER, user=player)) == held
    assert Entry.objects.count() == 6 and not Move.objects.exists()
    assert Tournament.objects.get().entrants == 6


@pytest.mark.rule("A-01")
def test_a_late_player_without_money_is_refused(house: Redis) -> None:
    tournament = late(4)
    [player] = users_without_entry(1)
    account = transfers.account(AccountKind.PLAYER, user=player)
    transfers.move(
        key="broke",
        kind="credit",
        source=account,
        target=money.room(),
        amount=transfers.balance(account) - BUY_IN - FEE + 1,
    )
    with pytest.raises(transfers.InsufficientFunds):
        registration.register(player, tournament)
    assert not Move.objects.exists() and not Entry.objects.filter(user=player).exists()
    assert Tournament.objects.get().left == 4


@pytest.mark.rule("E-01")
def test_lobby_and_page_offer_the_late_seat(house: Redis) -> None:
    tournament = late(4)
    [stranger, player] = users_without_entry(2)
    registration.register(player, tournament)
    assert lobby_rows.of_tournament(tournament, stranger).may_register
    assert "open" in lobby_rows.of_tournament(tournament, stranger).kinds.split()
    tournament.refresh_from_db()
    row = lobby_rows.of_tournament(tournament, player)
    assert not row.may_register and not row.may_unregister


@pytest.mark.rule("E-07")
def test_the_last_player_left_ends_late_registration_and_the_tournament(house: Redis) -> None:
    tournament = late(3, late_ends="at_level", late_value=9)
    Arena(tournament.pk, seed=4).run()
    tournament.refresh_from_db()
    assert tournament.state == "finished" and tournament.pool == 3 * BUY_IN
    assert len(places_of(tournament.pk)) == 3
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-01")
@pytest.mark.rule("E-07")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_tournament_with_late_players_keeps_its_books(house: Redis, seed: int) -> None:
    """Players enter at random times; tables, chips, places and money are checked at every step."""
    chance = random.Random(seed)
    tournament = late(
        5, seats_per_table=4, late_ends="at_left", late_value=4, players_max=16, guarantee=9_000
    )
    comers = users_without_entry(14)
    arena = Arena(tournament.pk, seed)

    def someone_comes() -> None:
        if comers and chance.random() < 0.15:
            with suppress(RegistrationClosed, TournamentFull):
                registration.register(comers.pop(), tournament)
        entrants = Tournament.objects.values_list("entrants", flat=True).get()
        assert chips_of(tournament.pk) in (entrants * STACK, 0)

    arena.run(after=someone_comes)
    tournament.refresh_from_db()
    assert tournament.state == "finished" and tournament.entrants > 5
    assert tournament.pool == max(9_000, tournament.entrants * BUY_IN)
    assert sum(prize for _, prize in places_of(tournament.pk)) == tournament.pool
    assert len(places_of(tournament.pk)) == tournament.entrants
    assert transfers.total() == 0 and not audit.audit_tournaments(tournament.pk)
    assert bells.due(tournament.pk) is not None
