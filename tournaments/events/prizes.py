"""What is told of bounties, tickets and prizes that are no money."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event


class BountyShare(msgspec.Struct, frozen=True):
    """What an entry won with a knock-out in cents: in `cash`, `added` to its own `head` (N-04)."""

    entry: int
    name: str
    cash: int
    added: int
    head: int


class BountyWon(Event, frozen=True, tag="bounty_won"):
    """Who knocked an entry out shares what was on its head; heads in cents are as of now (N-01)."""

    entry: int
    name: str
    to: tuple[BountyShare, ...]


class HeadChanged(Event, frozen=True, tag="head_changed"):
    """There are `head` cents on an entry from now on, not what was bought (N-02, N-03, N-05)."""

    entry: int
    head: int


class BountyNotice(Event, frozen=True, tag="bounty"):
    """You won `amount` cents for knocking out `player`; `on_head` more are on your own head.

    Without a player these are all your bounties, or your own head, paid at the end (N-06, N-07);
    when `later`, the amount is paid at the end.
    """

    tournament: int
    name: str
    player: str
    amount: int
    on_head: int
    later: bool


class TicketIssued(Event, frozen=True, tag="ticket_issued"):
    """You got a ticket worth `value` cents for tournaments of `scope` (K-01)."""

    ticket: int
    value: int
    scope: str
    source: str
    until_ms: int


class TicketClosed(Event, frozen=True, tag="ticket_closed"):
    """A ticket of yours was exchanged, has expired or was withdrawn, as `state` says."""

    ticket: int
    value: int
    scope: str
    state: str
