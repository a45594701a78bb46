"""Tickets: the conditions of paying with one, and the return of its surplus."""

from __future__ import annotations

from typing import Literal

import msgspec

from tournaments.engine.refusals import TicketRefused

Methods = Literal["money", "ticket", "money_and_tickets"]
"""Accepted ways to pay a tournament; with both, money alone is enough (K-02)."""

TicketState = Literal["valid", "used", "expired", "exchanged", "withdrawn"]


class HeldTicket(msgspec.Struct, frozen=True):
    """A ticket of an owner: worth in minor units, scope, window in ms (K-01).

    `exchangeable` tickets can be turned into money (K-06); no ticket changes its owner.
    """

    owner: int
    value: int
    scope: str
    valid_from_ms: int
    valid_until_ms: int
    state: TicketState
    exchangeable: bool = False


class TicketUse(msgspec.Struct, frozen=True):
    """A ticket that pays: its part of pool and fee, and the surplus to give back (K-03)."""

    price: int
    surplus: int


def check_method(methods: Methods, *, by_ticket: bool) -> None:
    """Refuse a way of paying that the tournament does not take (K-02)."""
    if by_ticket and methods == "money":
        raise TicketRefused("no_tickets")
    if not by_ticket and methods == "ticket":
        raise TicketRefused("tickets_only")


def use(ticket: HeldTicket, *, user: int, price: int, activity: str, now_ms: int) -> TicketUse:
    """Pay `price`, buy-in plus fee, with a ticket; raises TicketRefused when it cannot (K-01).

    A price of zero is refused too: the whole worth of the ticket would become money (K-06).
    """
    _check_held(ticket, user=user, now_ms=now_ms)
    if not price:
        raise TicketRefused("no_price")
    if ticket.scope != activity:
        raise TicketRefused("other_scope")
    if ticket.value < price:
        raise TicketRefused("ticket_too_small")
    return TicketUse(price=price, surplus=ticket.value - price)


def exchange(ticket: HeldTicket, *, user: int, now_ms: int) -> int:
    """Return a ticket's worth in money to its owner; refuse a ticket without exchange (K-06)."""
    _check_held(ticket, user=user, now_ms=now_ms)
    if not ticket.exchangeable:
        raise TicketRefused("not_exchangeable")
    return ticket.value


def _check_held(ticket: HeldTicket, *, user: int, now_ms: int) -> None:
    if ticket.owner != user:
        raise TicketRefused("foreign_ticket")
    if ticket.state != "valid":
        raise TicketRefused("ticket_gone")
    if now_ms < ticket.valid_from_ms:
        raise TicketRefused("ticket_too_early")
    if now_ms >= ticket.valid_until_ms:
        raise TicketRefused("ticket_expired")
