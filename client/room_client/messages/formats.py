"""Events of single formats of tournaments. Written by `manage.py protocol_docs`."""

from __future__ import annotations

import msgspec

from room_client.messages.frames import (
    Result,
)


class SpinDrawn(msgspec.Struct, frozen=True, tag_field="type", tag="spin_drawn"):
    """Draw of the pool of a spin by a fair lot (F-05)."""

    spin: SpinOdds


class PlayTimeUp(msgspec.Struct, frozen=True, tag_field="type", tag="time_up"):
    """End of the play time: tables stop after their hand, the `left` entries are placed by chips.
    `paid` is `table` for the payout table, or `proportional` for shares by chips (T-11).
    """

    left: int
    paid: str


class DealProposed(msgspec.Struct, frozen=True, tag_field="type", tag="deal_proposed"):
    """Proposal of a deal `equal`, by `chips` or `icm`; the vote opens after this hand."""

    deal: int
    kind: str
    entry: int
    user: int
    name: str


class DealOpened(msgspec.Struct, frozen=True, tag_field="type", tag="deal_opened"):
    """Start of the vote on these shares at the standing table, until `until_ms` (Y-01..Y-03)."""

    deal: int
    kind: str
    shares: tuple[DealShare, ...]
    until_ms: int


class DealVoted(msgspec.Struct, frozen=True, tag_field="type", tag="deal_voted"):
    """One vote; `votes` of `needed` are in."""

    deal: int
    entry: int
    user: int
    name: str
    yes: bool
    votes: int
    needed: int


class DealRefused(msgspec.Struct, frozen=True, tag_field="type", tag="deal_refused"):
    """End of a deal without agreement; the table plays on. `reason` is `no` (voted by `name`),
    `time` for an expired vote, or `changed` for another field.
    """

    deal: int
    reason: str
    name: str


class DealAgreed(msgspec.Struct, frozen=True, tag_field="type", tag="deal_agreed"):
    """Agreement of all voters: the tournament ends and all shares are paid (Y-01)."""

    deal: int
    kind: str


class RoundBegan(msgspec.Struct, frozen=True, tag_field="type", tag="round_began"):
    """Start of round `number` of a shootout: `left` players, new stacks, first level (F-04)."""

    number: int
    rounds: int
    left: int


class Finished(msgspec.Struct, frozen=True, tag_field="type", tag="finished"):
    """End of the tournament with all prizes paid: the entry in first place and its prize. `left`
    entries were in play at the end: 1, unless format, play time or a deal ended it.
    """

    entry: int
    user: int
    name: str
    prize: int
    left: int


class TournamentOver(msgspec.Struct, frozen=True, tag_field="type", tag="tournament_over"):
    """End of a tournament in which you were still in play; your `place` wins nothing."""

    tournament: int
    name: str
    place: int


class DealsOpen(msgspec.Struct, frozen=True, tag_field="type", tag="deals_open"):
    """All entries left sit at one table: you may propose a deal from now on (Y-01)."""

    tournament: int
    name: str
    left: int


class DealVote(msgspec.Struct, frozen=True, tag_field="type", tag="deal_vote"):
    """Request for your vote until `until_ms`; your share is `share` cents (Y-01)."""

    tournament: int
    name: str
    deal: int
    kind: str
    share: int
    until_ms: int


class SpinOdds(msgspec.Struct, frozen=True):
    """Result of a spin: the number drawn of 100,000, its multiplier, pool and prizes in cents.
    `odds` are pairs of a multiplier and its frequency in 100,000 (F-05).
    """

    drawn: int
    multiplier: int
    pool: int
    prizes: tuple[int, ...]
    odds: tuple[tuple[int, int], ...]
    at_ms: int


class DealShare(msgspec.Struct, frozen=True):
    """An entry's chips now and its share in cents by a deal (Y-02)."""

    entry: int
    user: int
    name: str
    chips: int
    share: int
