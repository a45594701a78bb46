"""Tickets that their winner could not use are paid in money (K-05, K-08)."""

from __future__ import annotations

from typing import Any

from redis import Redis

from accounts.models import Club, User
from accounts.users import bots
from tests.tournaments.club_scene import club_offer, join, make_club
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.prizes.satellite_events import BOTH, satellite, target
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, ticket_debt
from tournaments.entries import registration
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Entry, Ticket, Tournament
from tournaments.prizes import satellites, tickets
from tournaments.running import operations


def win(played: Tournament, *entries: Entry) -> set[int]:
    """Pay these entries the first places; return the users who get a ticket."""
    for place, entry in enumerate(entries, start=1):
        entry.place, entry.prize = place, 300
        entry.save()
    with tournament_transaction(played.pk) as tx:
        as_ticket = satellites.pay(tx, entries)
    return {entry.user_id for entry in entries if entry.pk in as_ticket}


def entry_of(played: Tournament, user: User) -> Entry:
    return played.entries.select_related("user").get(user=user)


def test_a_full_target_pays_in_money(house: Redis) -> None:
    main = target(300, players_max=2)
    for bot in bots.create(5)[3:]:
        registration.register(bot, main)
    played = satellite(main, 3)
    winner = bots.create(3)[0]
    had = balance_of(winner)
    assert win(played, entry_of(played, winner)) == set()
    assert balance_of(winner) == had + 300 and not Ticket.objects.exists()
    assert_ledger_right()


def test_a_seat_won_in_two_satellites_is_one_ticket_and_its_worth(house: Redis) -> None:
    main = target(300)
    winner = bots.create(3)[0]
    first, second = satellite(main, 3), satellite(main, 3)
    assert win(first, entry_of(first, winner)) == {winner.pk}
    had = balance_of(winner)
    assert win(second, entry_of(second, winner)) == set()
    assert balance_of(winner) == had + 300
    assert registration.register(winner, main, ticket="any").ticket is not None
    assert ticket_debt() == 0
    assert_ledger_right()


def club_satellite(club: Club) -> Tournament:
    """A running satellite for everybody to a tournament for members of its club."""
    main = operations.open(club_offer(club, **BOTH, buy_in=300, fee=0, players_max=20).pk)
    fields: dict[str, Any] = {"watched_by": "everybody", "entered_by": "everybody"}
    fields |= {"format": "satellite", "target": main, "buy_in": 100, "fee": 0, "players_max": 6}
    made = operations.open(club_offer(club, **fields).pk)
    for bot in bots.create(6):
        registration.register(bot, made)
    return operations.start(made.pk)


def test_a_winner_outside_the_audience_of_the_target_gets_money(house: Redis) -> None:
    club = make_club()
    outsider, member = bots.create(2)
    join(club, member.name)
    played = club_satellite(club)
    had = balance_of(outsider)
    winners = [entry_of(played, user) for user in (outsider, member)]
    assert win(played, *winners) == {member.pk}
    assert balance_of(outsider) == had + 300 and ticket_debt() == 300
    assert_ledger_right()


def test_a_ticket_of_a_cancelled_target_comes_back_as_money(house: Redis) -> None:
    main, other = target(300), target(300)
    played = satellite(main, 3)
    winner = bots.create(3)[0]
    win(played, entry_of(played, winner))
    entry = registration.register(winner, other, ticket="any")
    assert tickets.comes_back(other, entry)
    operations.cancel(main.pk, reason="no")
    entry = Entry.objects.get(pk=entry.pk)
    assert not tickets.comes_back(other, entry)
    had = balance_of(winner)
    registration.unregister(winner, other)
    assert balance_of(winner) == had + 300 and ticket_debt() == 0
    assert not Ticket.objects.filter(state="valid").exists()
    assert_ledger_right()
