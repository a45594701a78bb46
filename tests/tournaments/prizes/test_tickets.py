"""Tickets in database and ledger: owed, used once, returned, exchanged, expired (K)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Transfer, User
from accounts.users import bots
from config.refusals import Refusal
from tests.samples import size
from tests.tournaments.cast import BUY_IN, FEE, at_once, open_offer
from tests.tournaments.entries.balances import balance_of, stored_values
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.prizes.ticket_scene import (
    PRICE,
    assert_ledger_right,
    bonus_balance,
    give_ticket,
    ticket_debt,
    ticket_event,
)
from tournaments.engine.refusals import TicketRefused
from tournaments.entries import registration
from tournaments.models import Announcement, Entry, Ticket
from tournaments.prizes import money, tickets
from tournaments.refusals import BadTicket
from tournaments.running import operations


@pytest.mark.rule("K-01")
@pytest.mark.rule("K-04")
def test_a_ticket_is_owed_until_it_feeds_the_pool_like_money(house: Redis) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket = give_ticket(player)
    assert ticket_debt() == PRICE
    assert_ledger_right()
    tournament = ticket_event()
    entry = registration.register(player, tournament, ticket=ticket.pk)
    assert (entry.ticket_id, entry.paid) == (ticket.pk, PRICE)
    assert balance_of(player) == had and ticket_debt() == 0
    assert transfers.balance(money.pool(tournament)) == BUY_IN
    assert transfers.balance(money.fees()) == FEE
    ticket.refresh_from_db()
    assert ticket.state == "used"
    assert_ledger_right()


@pytest.mark.rule("K-01")
def test_a_ticket_is_issued_once_per_token_and_its_owner_is_notified(house: Redis) -> None:
    player = bots.create(1)[0]
    ticket = give_ticket(player)
    again = tickets.issue(
        [player],
        value=PRICE,
        scope="main",
        valid_from=ticket.valid_from,
        valid_until=ticket.valid_until,
        source="admin",
        token="one",
    )
    assert again == [] and Ticket.objects.count() == 1 and ticket_debt() == PRICE
    assert Announcement.objects.filter(stream=f"user:{player.pk}").count() == 1


@pytest.mark.rule("K-01")
@pytest.mark.parametrize(
    "wrong",
    [
        {"value": 0},
        {"value": -5},
        {"value": 10**15},
        {"scope": " "},
        {"valid_until": timezone.now() - timedelta(days=1)},
        {"valid_from": timezone.now() + timedelta(days=3)},
        {"valid_until": datetime.fromisoformat("9999-12-31T23:59-12:00")},
    ],
)
def test_a_ticket_without_worth_purpose_or_time_is_refused(
    house: Redis, wrong: dict[str, Any]
) -> None:
    player = bots.create(1)[0]
    with pytest.raises(BadTicket) as refused:
        give_ticket(player, **wrong)
    assert refused.value.code == "bad_ticket"
    assert not Ticket.objects.exists() and ticket_debt() == 0


@pytest.mark.rule("K-01")
@pytest.mark.rule("K-02")
@pytest.mark.parametrize(
    ("fields", "options", "code"),
    [
        ({"scope": "other"}, {}, "other_scope"),
        ({"value": PRICE - 1}, {}, "ticket_too_small"),
        ({"valid_from": timezone.now() + timedelta(hours=12)}, {}, "ticket_too_early"),
        ({}, {"methods": "money"}, "no_tickets"),
        ({"value": PRICE}, {"bounty": 100}, "ticket_too_small"),
    ],
)
def test_an_unsuitable_ticket_is_refused(
    house: Redis, fields: dict[str, Any], options: dict[str, Any], code: str
) -> None:
    player = bots.create(1)[0]
    ticket = give_ticket(player, **fields)
    tournament = ticket_event(**options)
    before = stored_values(tournament), ticket_debt()
    with pytest.raises(TicketRefused) as refused:
        registration.register(player, tournament, ticket=ticket.pk)
    assert refused.value.code == code
    assert (stored_values(tournament), ticket_debt()) == before


@pytest.mark.rule("K-01")
def test_foreign_expired_used_and_unknown_tickets_are_refused(house: Redis) -> None:
    player, other = bots.create(2)
    tournament = ticket_event()
    foreign, late = give_ticket(other), give_ticket(player)
    Ticket.objects.filter(pk=late.pk).update(valid_until=timezone.now())
    used = give_ticket(player, "two")
    registration.register(player, ticket_event(), ticket=used.pk)
    before = stored_values(tournament), ticket_debt()
    asked: dict[int | str, str] = {
        foreign.pk: "foreign_ticket",
        late.pk: "ticket_expired",
        used.pk: "ticket_gone",
        10**12: "no_such_ticket",
        "-1": "no_such_ticket",
        "x": "no_such_ticket",
        "9" * 40: "no_such_ticket",
        "any": "no_fitting_ticket",
    }
    for ticket, code in asked.items():
        with pytest.raises(TicketRefused) as refused:
            registration.register(player, tournament, ticket=ticket)
        assert refused.value.code == code
    assert (stored_values(tournament), ticket_debt()) == before


@pytest.mark.rule("K-02")
def test_a_tournament_for_tickets_takes_no_money(house: Redis) -> None:
    player = bots.create(1)[0]
    tournament = ticket_event(methods="ticket")
    before = stored_values(tournament)
    with pytest.raises(TicketRefused) as refused:
        registration.register(player, tournament)
    assert refused.value.code == "tickets_only" and stored_values(tournament) == before
    give_ticket(player)
    assert registration.register(player, tournament, ticket="any").ticket is not None


@pytest.mark.rule("K-02")
def test_money_alone_pays_where_tickets_and_money_are_accepted(house: Redis) -> None:
    player = bots.create(1)[0]
    ticket = give_ticket(player)
    registration.register(player, ticket_event())
    ticket.refresh_from_db()
    assert ticket.state == "valid" and ticket_debt() == PRICE


@pytest.mark.rule("K-03")
@pytest.mark.parametrize(("to", "account", "extra"), [("account", 400, 0), ("bonus", 0, 400)])
def test_the_surplus_of_a_ticket_is_credited(
    house: Redis, to: str, account: int, extra: int
) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket = give_ticket(player, value=PRICE + 400)
    registration.register(player, ticket_event(surplus_to=to), ticket=ticket.pk)
    assert (balance_of(player) - had, bonus_balance(player)) == (account, extra)
    assert_ledger_right()


@pytest.mark.rule("K-03")
@pytest.mark.rule("T-06")
def test_a_bonus_pays_for_entries_first_and_comes_back_as_a_bonus(house: Redis) -> None:
    player = bots.create(1)[0]
    ticket = give_ticket(player, value=PRICE + 400)
    registration.register(player, ticket_event(surplus_to="bonus"), ticket=ticket.pk)
    had = balance_of(player)
    tournament = open_offer()
    entry = registration.register(player, tournament)
    assert (entry.paid_bonus, bonus_balance(player), balance_of(player)) == (
        400,
        0,
        had - PRICE + 400,
    )
    registration.unregister(player, tournament)
    assert (bonus_balance(player), balance_of(player)) == (400, had)
    assert_ledger_right()


@pytest.mark.rule("K-05")
def test_unregistering_returns_the_ticket_and_it_pays_again(house: Redis) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket = give_ticket(player)
    for _ in range(2):
        tournament = ticket_event()
        registration.register(player, tournament, ticket=ticket.pk)
        registration.unregister(player, tournament)
        ticket.refresh_from_db()
        assert (ticket.state, ticket_debt(), balance_of(player)) == ("valid", PRICE, had)
        assert transfers.balance(money.pool(tournament)) == 0
        assert_ledger_right()
    assert _told(player, "registered") == [(PRICE, PRICE)] * 2
    assert _told(player, "unregistered") == [(0, PRICE)] * 2
    registration.register(player, tournament)
    registration.unregister(player, tournament)
    assert _told(player, "registered")[2:] == [(PRICE, 0)]
    assert _told(player, "unregistered")[2:] == [(PRICE, 0)]


def _told(player: User, kind: str) -> list[tuple[int, int]]:
    """Cents paid or given back in a player's notices, and those of a ticket."""
    notices = map(msgspec.json.decode, events_of_type(f"user:{player.pk}", kind))
    return [(told.get("paid", told.get("refund")), told["ticket"]) for told in notices]


@pytest.mark.rule("K-05")
def test_a_returned_ticket_has_the_value_it_paid(house: Redis) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket, tournament = give_ticket(player, value=PRICE + 400), ticket_event()
    registration.register(player, tournament, ticket=ticket.pk)
    registration.unregister(player, tournament)
    ticket.refresh_from_db()
    assert (ticket.value, balance_of(player)) == (PRICE, had + 400)
    assert_ledger_right()


@pytest.mark.rule("K-05")
@pytest.mark.parametrize("expired", [True, False])
def test_unregistering_returns_money_by_setting_or_when_it_has_expired(
    house: Redis, expired: bool
) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket = give_ticket(player)
    tournament = ticket_event(ticket_back="ticket" if expired else "money")
    registration.register(player, tournament, ticket=ticket.pk)
    if expired:
        Ticket.objects.update(valid_until=timezone.now())
    registration.unregister(player, tournament)
    ticket.refresh_from_db()
    assert (ticket.state, balance_of(player), ticket_debt()) == ("used", had + PRICE, 0)
    assert_ledger_right()


@pytest.mark.rule("T-12")
def test_a_cancelled_tournament_returns_tickets_and_money_as_they_were_paid(house: Redis) -> None:
    player, other = bots.create(2)
    before = balance_of(player), balance_of(other)
    ticket = give_ticket(player)
    tournament = ticket_event(ticket_back="money")
    registration.register(player, tournament, ticket=ticket.pk)
    registration.register(other, tournament)
    operations.cancel(tournament.pk, reason="no")
    ticket.refresh_from_db()
    assert ticket.state == "valid" and (balance_of(player), balance_of(other)) == before
    assert_ledger_right()


@pytest.mark.rule("K-06")
def test_only_exchangeable_tickets_become_money_and_only_once(house: Redis) -> None:
    player, other = bots.create(2)
    had = balance_of(player)
    ticket, other_kind = give_ticket(player, exchangeable=True), give_ticket(player, "two")
    for who, which, code in (
        (player, other_kind.pk, "not_exchangeable"),
        (other, ticket.pk, "foreign_ticket"),
        (player, 10**9, "no_such_ticket"),
    ):
        with pytest.raises(TicketRefused) as refused:
            tickets.exchange(who, which)
        assert refused.value.code == code
    assert balance_of(player) == had
    tickets.exchange(player, ticket.pk)
    with pytest.raises(TicketRefused):
        tickets.exchange(player, ticket.pk)
    assert balance_of(player) == had + PRICE and ticket_debt() == PRICE
    assert_ledger_right()


@pytest.mark.rule("K-01")
def test_expired_and_withdrawn_tickets_return_to_the_room(house: Redis) -> None:
    player = bots.create(1)[0]
    room = transfers.balance(money.room())
    first, second = give_ticket(player), give_ticket(player, "two")
    assert tickets.expire() == 0
    Ticket.objects.filter(pk=first.pk).update(valid_until=timezone.now())
    assert (tickets.expire(), tickets.expire()) == (1, 0)
    assert len(tickets.withdraw([second.pk])) == 1 and tickets.withdraw([second.pk]) == []
    assert transfers.balance(money.room()) == room and ticket_debt() == 0
    assert_ledger_right()


@pytest.mark.rule("K-01")
def test_one_ticket_pays_once_in_concurrent_requests(house: Redis) -> None:
    player = bots.create(1)[0]
    had = balance_of(player)
    ticket = give_ticket(player, exchangeable=True)
    events = [ticket_event() for _ in range(3)]
    results = at_once(
        *[
            lambda where=where: registration.register(player, where.pk, ticket=ticket.pk)
            for where in events * 2
        ],
        lambda: tickets.exchange(player, ticket.pk),
        lambda: tickets.withdraw([ticket.pk]),
    )
    taken = [result for result in results if isinstance(result, Entry | Ticket) or result]
    done = [result for result in taken if not isinstance(result, Refusal)]
    assert len(done) == 1, results
    ticket.refresh_from_db()
    assert ticket.state in ("used", "exchanged", "withdrawn")
    assert balance_of(player) - had == (PRICE if ticket.state == "exchanged" else 0)
    assert_ledger_right()


@pytest.mark.rule("K-01")
@pytest.mark.rule("K-04")
@pytest.mark.rule("K-05")
@settings(
    max_examples=size(6, 15),
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=some.lists(
        some.tuples(
            some.sampled_from(("issue", "use", "back", "exchange", "expire", "cancel", "money")),
            some.integers(0, 5),
        ),
        min_size=4,
        max_size=25,
    ),
    surplus_to=some.sampled_from(("account", "bonus")),
    ticket_back=some.sampled_from(("ticket", "money")),
)
def test_tickets_are_never_used_twice_and_always_owed(
    house: Redis, steps: list[tuple[str, int]], surplus_to: str, ticket_back: str
) -> None:
    players = bots.create(3)
    rooms = [ticket_event(surplus_to=surplus_to, ticket_back=ticket_back) for _ in range(2)]
    token = f"{Transfer.objects.count()}"
    for at, (what, which) in enumerate(steps):
        player, where = players[which % 3], rooms[which % 2]
        try:
            if what == "issue":
                give_ticket(
                    player, f"{token}.{at}", value=PRICE + which * 10, exchangeable=which > 2
                )
            elif what == "use":
                registration.register(player, where.pk, ticket="any")
            elif what == "money":
                registration.register(player, where.pk)
            elif what == "back":
                registration.unregister(player, where.pk)
            elif what == "cancel" and which == 5:
                operations.cancel(where.pk, reason="no")
            elif what == "exchange":
                for ticket in tickets.owned(player)[:1]:
                    tickets.exchange(player, ticket.pk)
            elif what == "expire":
                valid = Ticket.objects.filter(owner=player, state="valid")[:1]
                ids = [ticket.pk for ticket in valid]
                Ticket.objects.filter(pk__in=ids).update(valid_until=timezone.now())
                tickets.expire()
        except Refusal:
            pass
        assert_ledger_right()
        used = Entry.objects.exclude(ticket=None).exclude(state__in=("unregistered", "refunded"))
        paying = list(used.values_list("ticket", flat=True))
        assert len(set(paying)) == len(paying)
        assert set(Ticket.objects.filter(pk__in=paying).values_list("state", flat=True)) <= {"used"}
