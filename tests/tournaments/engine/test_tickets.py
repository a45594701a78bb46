"""Tickets pay where value, scope and validity allow; satellites award them from the top."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.refusals import Refusal
from tournaments.engine.satellites import TicketPrize, is_over, ticket_prizes
from tournaments.engine.tickets import HeldTicket, check_method, exchange, use

TICKET = HeldTicket(
    owner=7,
    value=1_100,
    scope="sunday",
    valid_from_ms=1_000,
    valid_until_ms=9_000,
    state="valid",
)


@pytest.mark.rule("K-01")
@pytest.mark.rule("K-03")
def test_a_ticket_pays_its_value_and_states_the_difference() -> None:
    done = use(TICKET, user=7, price=1_000, activity="sunday", now_ms=5_000)
    assert (done.price, done.surplus) == (1_000, 100)
    assert use(TICKET, user=7, price=1_100, activity="sunday", now_ms=1_000).surplus == 0


@pytest.mark.rule("K-01")
@pytest.mark.parametrize(
    ("code", "change", "asked"),
    [
        ("foreign_ticket", {"owner": 8}, {}),
        ("ticket_gone", {"state": "used"}, {}),
        ("ticket_gone", {"state": "withdrawn"}, {}),
        ("ticket_too_early", {}, {"now_ms": 999}),
        ("ticket_expired", {}, {"now_ms": 9_000}),
        ("other_scope", {}, {"activity": "monday"}),
        ("ticket_too_small", {}, {"price": 1_101}),
        ("no_price", {}, {"price": 0}),
    ],
)
def test_a_ticket_that_cannot_pay_is_refused(
    code: str, change: dict[str, object], asked: dict[str, object]
) -> None:
    ticket = msgspec.structs.replace(TICKET, **change)
    with pytest.raises(Refusal) as refused:
        use(ticket, **{"user": 7, "price": 1_000, "activity": "sunday", "now_ms": 5_000, **asked})  # type: ignore[arg-type]
    assert refused.value.code == code


@pytest.mark.rule("K-02")
def test_each_payment_method_accepts_its_means() -> None:
    check_method("money", by_ticket=False)
    check_method("ticket", by_ticket=True)
    check_method("money_and_tickets", by_ticket=False)
    check_method("money_and_tickets", by_ticket=True)
    with pytest.raises(Refusal, match="no tickets"):
        check_method("money", by_ticket=True)
    with pytest.raises(Refusal, match="only be entered with a ticket"):
        check_method("ticket", by_ticket=False)


@pytest.mark.rule("K-06")
def test_only_some_tickets_can_be_exchanged_and_only_by_their_owner() -> None:
    with pytest.raises(Refusal, match="cannot be exchanged"):
        exchange(TICKET, user=7, now_ms=5_000)
    soft = msgspec.structs.replace(TICKET, exchangeable=True)
    assert exchange(soft, user=7, now_ms=5_000) == 1_100
    with pytest.raises(Refusal, match="somebody else"):
        exchange(soft, user=8, now_ms=5_000)


@pytest.mark.rule("K-07")
def test_thirty_five_players_win_three_tickets_and_five_dollars() -> None:
    assert ticket_prizes(35, 10, 35) == [
        TicketPrize(1, "ticket", 10),
        TicketPrize(2, "ticket", 10),
        TicketPrize(3, "ticket", 10),
        TicketPrize(4, "cash", 5),
    ]


@pytest.mark.rule("K-08")
def test_play_stops_when_only_the_winners_are_left() -> None:
    assert [is_over(left, 3) for left in (5, 4, 3, 2)] == [False, False, True, True]
    assert [is_over(left, 0) for left in (2, 1)] == [False, True]


@pytest.mark.rule("K-08")
def test_a_winner_already_registered_gets_the_value_by_setting() -> None:
    prizes = ticket_prizes(20, 10, 20, places_registered={2})
    assert [prize.kind for prize in prizes] == ["ticket", "worth"]
    kept = ticket_prizes(20, 10, 20, places_registered={2}, worth_if_registered=False)
    assert [prize.kind for prize in kept] == ["ticket", "ticket"]


@pytest.mark.rule("K-07")
@given(st.integers(0, 10_000), st.integers(1, 500), st.integers(1, 30))
def test_tickets_and_money_sum_to_the_pool(pool: int, ticket: int, entrants: int) -> None:
    prizes = ticket_prizes(pool, ticket, entrants)
    assert sum(prize.amount for prize in prizes) == pool
    assert all(1 <= prize.place <= entrants for prize in prizes)
    tickets = [prize.place for prize in prizes if prize.kind == "ticket"]
    assert tickets == list(range(1, len(tickets) + 1))
