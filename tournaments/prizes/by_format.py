"""What a format pays by itself, instead of by the payout table (F-06, F-07, F-09, T-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.engine import formats
from tournaments.models import Tournament
from tournaments.models.formats import Format, TimeUp
from tournaments.prizes import deal_field, spins

BY_HALF = (Format.FIFTY_FIFTY, Format.DOUBLE_OR_NOTHING)
"""Formats that stop when half of the field is out."""


def at_start(tournament: Tournament, pool: int) -> list[int] | None:
    """The prizes by place that the format sets once the pool is certain; None: its table does.

    Of a Fifty50 this is what everybody would get with equal stacks; `at_end` knows the stacks.
    A format that stops at half has a set number of players: while they register, too, that is the
    field it pays for.
    """
    if tournament.format in BY_HALF:
        paid = formats.places_paid_by_half(tournament.players_max)
        return formats.double_or_nothing(pool, paid)
    if tournament.format == Format.SPIN:
        return spins.prizes(tournament, pool)
    return None


def at_end(tournament: Tournament, stacks: Mapping[int, int]) -> list[int]:
    """The prizes by place now that those left have these stacks {entry: chips}.

    Places that are paid and were filled by who went out in the last hand have no stack (F-09).
    """
    if agreed := deal_field.agreed_prizes(tournament):
        return agreed
    if tournament.time_over and tournament.time_up == TimeUp.PROPORTIONAL:
        return _proportional(tournament.prizes, stacks)
    if tournament.format != Format.FIFTY_FIFTY:
        return list(tournament.prizes)
    assert tournament.pool is not None, "who sells nothing fixed its pool at the start"
    paid = formats.places_paid_by_half(tournament.entrants)
    chips = sorted(stacks.values(), reverse=True)
    return formats.fifty_fifty(tournament.pool, [*chips, *[0] * (paid - len(chips))])


def _proportional(prizes: Sequence[int], stacks: Mapping[int, int]) -> list[int]:
    """The prizes of those left are shared by chips; who went out in the money keeps his (T-11)."""
    left = len(stacks)
    if not any(stacks.values()):  # the last with chips was disqualified (T-15)
        return list(prizes)
    chips = sorted(stacks.values(), reverse=True)
    return [*formats.proportional(sum(prizes[:left]), chips), *prizes[left:]]
