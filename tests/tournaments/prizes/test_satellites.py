"""Satellites in database and ledger: ticket prizes, the end among winners, chains (K-07, K-08)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.ledger import promotions, transfers
from accounts.models import User
from accounts.users import bots
from config.refusals import Refusal
from tests.tournaments.cast import offer, open_offer
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.prizes.satellite_events import (
    _satellite,
    play_to_end,
    satellite,
    target,
)
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, ticket_debt
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Announcement, Entry, Ticket, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money, pool, satellites
from tournaments.queries import payouts
from tournaments.refusals import WrongPassword
from tournaments.running import operations, settlement

LATE = {"start": "scheduled", "late_ends": "at_level", "late_value": 2}
"""Options of a satellite that sells entries after its start."""


def winners(played: Tournament) -> list[User]:
    """Winners of a whole ticket or of its value; a tie for the last ticket is shared in money."""
    assert played.target is not None
    rows = played.entries.filter(prize__gte=played.target.price).select_related("user")
    return [entry.user for entry in rows.order_by("pk")]


@pytest.mark.rule("K-07")
@pytest.mark.rule("K-08")
@pytest.mark.parametrize("options", [{}, {"bubble_places": 0}, {"seats_per_table": 5}])
def test_the_example_of_the_source_with_35_players(house: Redis, options: dict[str, int]) -> None:
    main = target()
    played = play_to_end(satellite(main, 35, **options))
    assert played.prizes == [1_000, 1_000, 1_000, 500] and played.left <= 3
    assert [row.ticket for row in payouts.payout_rows(played)] == [1_000, 0]
    tickets = Ticket.objects.filter(won_in=played)
    assert {ticket.owner_id for ticket in tickets} == {user.pk for user in winners(played)}
    assert {(one.value, one.scope, one.state, one.source) for one in tickets} == {
        (1_000, "main", "valid", "prize")
    }
    assert ticket_debt() == 1_000 * tickets.count()
    paid = sum(balance_of(entry.user) - 1_000_000 + 100 for entry in played.entries.all())
    assert paid + ticket_debt() == 3_500
    for user in winners(played):
        registration.register(user, main, ticket="any")
        assert balance_of(user) == 1_000_000 - 100
    assert ticket_debt() == 0
    assert_ledger_right()


@pytest.mark.rule("K-08")
@pytest.mark.rule("T-02")
def test_a_winner_enters_a_private_target_without_its_password(house: Redis) -> None:
    main = target(300, password="open sesame")
    played = play_to_end(satellite(main, 6))
    won = User.objects.filter(tickets__won_in=played)
    lost = User.objects.filter(entry__tournament=played).exclude(pk__in=won)
    assert won and lost
    for user in won:
        assert registration.register(user, main, ticket="any").ticket is not None
    with pytest.raises(WrongPassword):
        registration.register(lost[0], main)
    assert_ledger_right()


@pytest.mark.rule("K-08")
def test_winners_are_notified_of_their_tickets(house: Redis) -> None:
    played = play_to_end(satellite(target(300), 6))
    ticket = Ticket.objects.filter(won_in=played).first()
    assert ticket is not None
    told = Announcement.objects.filter(stream=f"user:{ticket.owner_id}").order_by("seq")
    kinds = [bytes(row.payload) for row in told]
    assert any(b'"ticket_issued"' in one for one in kinds)
    assert any(b'"prize"' in one and b'"ticket":300' in one for one in kinds)


@pytest.mark.rule("K-08")
@pytest.mark.parametrize(("worth_if_registered", "cash"), [(True, 300), (False, 0)])
def test_a_winner_registered_for_the_target_gets_the_value_by_setting(
    house: Redis, worth_if_registered: bool, cash: int
) -> None:
    main = target(300)
    made = _satellite(main, 6, worth_if_registered=worth_if_registered)
    players = bots.create(6)
    for bot in players:
        registration.register(bot, made)
        registration.register(bot, main)
    before = {bot.pk: balance_of(bot) for bot in players}
    played = play_to_end(operations.start(made.pk))
    for user in winners(played):
        assert balance_of(user) == before[user.pk] + cash
        assert Ticket.objects.filter(owner=user).count() == (0 if cash else 1)


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("winners_cash", [True, False])
@pytest.mark.parametrize(("entries_max", "seats"), [(1, 1), (2, 2)])
def test_a_winner_refused_by_the_target_gets_the_value_in_money(
    house: Redis, winners_cash: bool, entries_max: int, seats: int
) -> None:
    main = target(300)
    Tournament.objects.filter(pk=main.pk).update(entries_max=entries_max)
    played = satellite(main, 6, winners_cash=winners_cash)
    second, first = played.entries.order_by("pk")[:2]
    second.user, second.slot = first.user, 1
    for place, entry in enumerate((first, second), start=1):
        entry.place, entry.prize = place, 300
        entry.save()
    had = balance_of(first.user)
    with tournament_transaction(played.pk) as tx:
        as_ticket = satellites.pay(tx, [second, first])
    assert as_ticket == dict.fromkeys([first.pk, second.pk][:seats], 300)
    assert Ticket.objects.filter(owner=first.user).count() == seats
    assert balance_of(first.user) == had + 300 * (2 - seats)
    assert_ledger_right()


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("step", ["start", "cancel"])
def test_a_target_that_started_or_was_cancelled_pays_in_money(house: Redis, step: str) -> None:
    main = target(300)
    made = satellite(main, 6)
    for bot in bots.create(8)[6:]:
        registration.register(bot, main)
    getattr(operations, step)(main.pk, reason="now")
    played = play_to_end(made)
    assert not Ticket.objects.exists() and ticket_debt() == 0
    for user in winners(played):
        assert balance_of(user) == 1_000_000 - 100 + 300


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("registered", [True, False])
def test_tickets_won_for_a_target_that_is_cancelled_become_money(
    house: Redis, registered: bool
) -> None:
    main = target(300)
    played = play_to_end(satellite(main, 6))
    if registered:
        for user in winners(played):
            registration.register(user, main, ticket="any")
    operations.cancel(main.pk, reason="no")
    for user in winners(played):
        assert balance_of(user) == 1_000_000 - 100 + 300
    assert ticket_debt() == 0 and not Ticket.objects.filter(state="valid").exists()
    assert_ledger_right()


@pytest.mark.rule("K-08")
def test_the_pages_of_cancelling_a_target_name_the_tickets_that_become_money(
    house: Redis, client: Client
) -> None:
    main = target(300)
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    cancel = reverse("admin:tournaments_step", args=["cancel"]) + f"?ids={main.pk}"
    words = "Unused tickets for it"
    assert words not in client.get(cancel).content.decode()
    held = len(winners(play_to_end(satellite(main, 6))))
    shown = f"{held} · {held * 3}.00"
    assert f"{words}, which become money: {shown}" in client.get(cancel).content.decode()
    for step in ("cancel", "cancel_forward"):
        page = client.get(reverse("cockpit_step", args=[main.pk, step])).content.decode()
        assert words in page and shown in page
    page = client.get(reverse("cockpit_step", args=[main.pk, "start"])).content.decode()
    assert words not in page


@pytest.mark.rule("K-08")
@pytest.mark.rule("T-12")
def test_tickets_won_for_a_target_that_is_cancelled_forward_become_money(house: Redis) -> None:
    main = target(300)
    played = play_to_end(satellite(main, 6))
    holders = winners(played)
    assert ticket_debt() == 300 * len(holders) > 0
    registration.register(holders[0], main, ticket="any")
    for bot in bots.create(12)[6:]:
        registration.register(bot, main)
    operations.start(main.pk)
    had = {user.pk: balance_of(user) for user in holders}
    operations.cancel_forward(main.pk, reason="flood")
    for user in holders[1:]:
        assert balance_of(user) == had[user.pk] + 300
        told = Announcement.objects.filter(stream=f"user:{user.pk}").order_by("-seq")[0]
        assert b'"ticket_closed"' in bytes(told.payload)
    assert balance_of(holders[0]) == had[holders[0].pk] + 300, "an equal share of the pool"
    assert ticket_debt() == 0 and not Ticket.objects.filter(state="valid").exists()
    assert transfers.balance(money.pool(main)) == 0 and audit.audit_tournaments(main.pk) == []
    assert_ledger_right()


@pytest.mark.rule("K-08")
def test_without_cash_prizes_the_room_keeps_the_rest_below_a_ticket(house: Redis) -> None:
    room = transfers.balance(money.room())
    played = play_to_end(satellite(target(400), 6, winners_cash=False))
    assert (played.prizes, played.pool) == ([400], 400)
    assert transfers.balance(money.room()) == room + 200


@pytest.mark.rule("K-07")
def test_a_pool_below_a_ticket_goes_to_the_winner_in_money(house: Redis) -> None:
    played = play_to_end(satellite(target(1_000), 4, winners_cash=False))
    assert played.prizes == [400] and not Ticket.objects.exists()


@pytest.mark.rule("Z-01")
@pytest.mark.rule("K-07")
def test_a_guarantee_of_tickets_is_paid_by_the_room(house: Redis) -> None:
    free = promotions.free()
    played = play_to_end(satellite(target(1_000), 6, guarantee=2_000))
    assert played.prizes == [1_000, 1_000] and ticket_debt() == 2_000
    assert promotions.free() == free - 1_400


@pytest.mark.rule("K-08")
def test_a_satellite_with_a_ticket_for_every_player_ends_without_play(house: Redis) -> None:
    played = play_to_end(satellite(target(100), 4, guarantee=500))
    assert played.prizes == [200, 100, 100, 100] and played.left == 4
    assert Ticket.objects.count() == 4 and ticket_debt() == 400


@pytest.mark.rule("K-08")
def test_satellites_chain_over_several_levels(house: Redis) -> None:
    main = target(600)
    middle = open_offer(
        format="satellite",
        target=main,
        buy_in=200,
        fee=0,
        players_min=2,
        players_max=3,
        methods="ticket",
        activity="step two",
    )
    players = bots.create(6)
    for pair in (players[:2], players[2:4], players[4:]):
        first = _satellite(middle, 2)
        for player in pair:
            registration.register(player, first)
        (winner,) = winners(play_to_end(operations.start(first.pk)))
        registration.register(winner, middle, ticket="any")
    (champion,) = winners(play_to_end(operations.start(middle.pk)))
    entry = registration.register(champion, main, ticket="any")
    assert entry.paid == 600 and transfers.balance(money.pool(main)) == 600
    assert balance_of(champion) == 1_000_000 - 100
    assert_ledger_right()


@pytest.mark.rule("K-08")
@pytest.mark.parametrize("state", ["started", "cancelled", "money", "free", "missing", "chips"])
def test_a_satellite_without_target_is_refused(house: Redis, state: str) -> None:
    fields: dict[str, Any] = {"methods": "money"} if state == "money" else {}
    main = open_offer(buy_in=0, fee=0) if state == "free" else target(300, **fields)
    if state == "started":
        for bot in bots.create(2):
            registration.register(bot, main)
        main = operations.start(main.pk)
    if state == "cancelled":
        main = operations.cancel(main.pk, reason="no")
    options: dict[str, Any] = {"format": "satellite"}
    if state != "missing":
        options["target"] = main
    if state == "chips":
        options |= {"play_time_ms": 3_600_000, "time_up": "proportional"}
    count = Tournament.objects.count()
    code = "no_time_limit" if state == "chips" else "bad_offer"
    with pytest.raises(Refusal) as refused:
        offer(**options)
    assert refused.value.code == code and Tournament.objects.count() == count


@pytest.mark.rule("T-09")
@pytest.mark.rule("K-07")
@pytest.mark.parametrize("late", [{}, LATE])
def test_a_rest_in_money_is_no_place_that_hand_for_hand_waits_for(
    house: Redis, late: dict[str, Any]
) -> None:
    starts = {"starts_at": timezone.now()} if late else {}
    played = satellite(target(170), 7, seats_per_table=3, **late, **starts)
    assert (played.pool is None) is bool(late) and pool.places_paid(played) == 5
    for left, holds in ((6, False), (5, True)):
        with tournament_transaction(played.pk) as tx:
            tx.tournament.left = left
            settlement.begin_hand_for_hand(tx)
            assert tx.tournament.hand_for_hand is holds, "one above the four tickets"


@pytest.mark.rule("K-07")
def test_many_satellites_lose_no_money_and_no_ticket(house: Redis) -> None:
    for seed, (players, price, seats) in enumerate([(7, 230, 3), (11, 470, 4), (9, 150, 9)]):
        play_to_end(satellite(target(price), players, seats_per_table=seats), seed)
    users = User.objects.filter(is_bot=True)
    assert Entry.objects.exclude(state__in=("won", "out")).count() == 0
    assert sum(balance_of(user) for user in users) + ticket_debt() == 1_000_000 * users.count()
