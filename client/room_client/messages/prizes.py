"""Events of prizes, tickets and bounties. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.hands import (
    Share,
)


class BountyWon(msgspec.Struct, frozen=True, tag_field="type", tag="bounty_won"):
    """Distribution of a knocked-out entry's bounty among its winners; heads in cents (N-01)."""

    entry: int
    name: str
    to: tuple[BountyShare, ...]


class HeadChanged(msgspec.Struct, frozen=True, tag_field="type", tag="head_changed"):
    """New bounty of `head` cents on an entry, other than the one bought (N-02, N-03, N-05)."""

    entry: int
    head: int


class BountyNotice(msgspec.Struct, frozen=True, tag_field="type", tag="bounty"):
    """Your win of `amount` cents for knocking out `player`; `on_head` more go to your own head.
    Without a player it is the sum of your bounties, or your own head, paid at the end (N-06,
    N-07); with `later` the amount is paid at the end.
    """

    tournament: int
    name: str
    player: str
    amount: int
    on_head: int
    later: bool


class TicketIssued(msgspec.Struct, frozen=True, tag_field="type", tag="ticket_issued"):
    """A new ticket of yours, worth `value` cents for tournaments of `scope` (K-01)."""

    ticket: int
    value: int
    scope: str
    source: str
    until_ms: int


class TicketClosed(msgspec.Struct, frozen=True, tag_field="type", tag="ticket_closed"):
    """End of your ticket: exchanged, expired or withdrawn, as in `state`."""

    ticket: int
    value: int
    scope: str
    state: str


class BountyShare(msgspec.Struct, frozen=True):
    """Share of a bounty in cents: `cash`, and `added` to the winner's own `head` (N-04)."""

    entry: int
    name: str
    cash: int
    added: int
    head: int
