"""Notices of tournaments to their players, on the stream `user:<id>`."""

from __future__ import annotations

from tables.engine.events import Event
from tournaments.events.buying import OfferEnded, OfferMade
from tournaments.events.formats import DealsOpen, DealVote, TournamentOver
from tournaments.events.prizes import BountyNotice, TicketClosed, TicketIssued
from tournaments.events.rulings import (
    Disqualified,
    NamedPrize,
    RoomSays,
    TournamentPaused,
    TournamentResumed,
)


class Invited(Event, frozen=True, tag="invited"):
    """Invitation to a tournament of a club, by one of its managers."""

    tournament: int
    name: str
    club: str


class Registered(Event, frozen=True, tag="registered"):
    """Your registration; `paid` in cents, of which `ticket` by a ticket (K-01).

    `starts_at_ms` since the epoch is that of a coming start.
    """

    tournament: int
    name: str
    entry: int
    paid: int
    starts_at_ms: int | None
    ticket: int = 0


class Unregistered(Event, frozen=True, tag="unregistered"):
    """Withdrawal of your entry; `refund` in cents, `left` counts your remaining entries (T-06).

    A ticket used for the entry is returned, worth `ticket` cents (K-05). `reason` is that of the
    organiser who took you out; empty where you did it yourself.
    """

    tournament: int
    name: str
    refund: int
    left: int
    ticket: int = 0
    reason: str = ""


class Seated(Event, frozen=True, tag="seated"):
    """Your drawn seat."""

    tournament: int
    name: str
    table: int
    number: int
    seat: int


class SeatChanged(Event, frozen=True, tag="moved"):
    """Your new seat at another table (T-08)."""

    tournament: int
    name: str
    from_table: int
    to_table: int
    number: int
    seat: int


class KnockedOut(Event, frozen=True, tag="knocked_out"):
    """End of your play; the place is null until it is final."""

    tournament: int
    name: str
    place: int | None
    prize: int


class PrizeWon(Event, frozen=True, tag="prize"):
    """Payment of your `prize` in cents for `place`, of which `ticket` as a ticket (K-07)."""

    tournament: int
    name: str
    place: int
    prize: int
    ticket: int = 0


class TournamentCancelled(Event, frozen=True, tag="tournament_cancelled"):
    """Cancellation of your tournament; `refund` cents were credited to your account.

    A ticket used for the entry is returned, worth `ticket` cents (K-05).
    """

    tournament: int
    name: str
    refund: int
    reason: str
    ticket: int = 0


Notice = (
    Invited
    | Registered
    | Unregistered
    | Seated
    | SeatChanged
    | KnockedOut
    | PrizeWon
    | OfferMade
    | OfferEnded
    | TournamentOver
    | DealsOpen
    | DealVote
    | BountyNotice
    | TicketIssued
    | TicketClosed
    | Disqualified
    | NamedPrize
    | RoomSays
    | TournamentPaused
    | TournamentResumed
    | TournamentCancelled
)
"""All events on the stream `user:<id>`."""
