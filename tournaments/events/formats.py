"""What formats, limited time and deals tell on the streams, as a part of `client_events`."""

from __future__ import annotations

import msgspec

from tables.engine.events import Event


class SpinOdds(msgspec.Struct, frozen=True):
    """A spin as its drum shows it: the number drawn of 100,000, its multiplier, pool and prizes in
    cents, and the odds it was drawn from as pairs of a multiplier and how often (F-05)."""

    drawn: int
    multiplier: int
    pool: int
    prizes: tuple[int, ...]
    odds: tuple[tuple[int, int], ...]
    at_ms: int


class SpinDrawn(Event, frozen=True, tag="spin_drawn"):
    """The pool of a spin was drawn by a fair lot (F-05)."""

    spin: SpinOdds


class TimeUp(Event, frozen=True, tag="time_up"):
    """The play time is over: tables stop after their hand, and the `left` are placed by chips.

    They are paid by the `table`, or share what is unpaid by chips: `proportional` (T-11).
    """

    left: int
    paid: str


class TournamentOver(Event, frozen=True, tag="tournament_over"):
    """It ended while you were still in, and your `place` wins nothing."""

    tournament: int
    name: str
    place: int


class Finished(Event, frozen=True, tag="finished"):
    """The tournament is over and every prize is paid; who has the first place, and how many
    were left when it ended: one, unless its format, its time or a deal ended it."""

    entry: int
    user: int
    name: str
    prize: int
    left: int


class RoundBegan(Event, frozen=True, tag="round_began"):
    """Round `number` of a shootout: `left` players, fresh stacks, the first level (F-04)."""

    number: int
    rounds: int
    left: int


class DealShare(msgspec.Struct, frozen=True):
    """What one entry would get by a deal: its chips now, and its share in cents (Y-02)."""

    entry: int
    user: int
    name: str
    chips: int
    share: int


class DealProposed(Event, frozen=True, tag="deal_proposed"):
    """Somebody proposes a deal, `equal`, by `chips` or `icm`; the vote opens after this hand."""

    deal: int
    kind: str
    entry: int
    user: int
    name: str


class DealOpened(Event, frozen=True, tag="deal_opened"):
    """The table stands and everybody left votes until `until_ms` on these shares (Y-01..Y-03)."""

    deal: int
    kind: str
    shares: tuple[DealShare, ...]
    until_ms: int


class DealVoted(Event, frozen=True, tag="deal_voted"):
    """One vote; `votes` of `needed` are in."""

    deal: int
    entry: int
    user: int
    name: str
    yes: bool
    votes: int
    needed: int


class DealRefused(Event, frozen=True, tag="deal_refused"):
    """There is no deal and the table plays on: `name` said `no`, its `time` was over, or the field
    has `changed`."""

    deal: int
    reason: str
    name: str


class DealAgreed(Event, frozen=True, tag="deal_agreed"):
    """Everybody said yes: the tournament ends, and all are paid at once (Y-01)."""

    deal: int
    kind: str


class DealVote(Event, frozen=True, tag="deal_vote"):
    """You are asked for your vote until `until_ms`: `share` cents would be yours (Y-01)."""

    tournament: int
    name: str
    deal: int
    kind: str
    share: int
    until_ms: int


class DealsOpen(Event, frozen=True, tag="deals_open"):
    """Everybody left sits at one table: you may propose a deal from now on (Y-01)."""

    tournament: int
    name: str
    left: int


DealEvent = DealProposed | DealOpened | DealVoted | DealRefused | DealAgreed
"""What a deal tells on the stream of its tournament."""
