"""Prizes that a format sets instead of the payout table (F-06, F-07, F-09, T-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.engine import formats
from tournaments.models import Tournament
from tournaments.models.options.formats import TimeUp
from tournaments.prizes import deal_field, spins


def at_start(tournament: Tournament, pool: int) -> list[int] | None:
    """Return the format's prizes by place for a certain pool; None: the payout table sets them.

    For a Fifty50 these are the prizes for equal stacks; `at_end` uses the real stacks. A format
    that stops at half has a fixed number of players and is calculated for that number during
    registration too.
    """
    if tournament.format_rules.half_wins:
        paid = formats.places_paid_by_half(tournament.players_max)
        return formats.double_or_nothing(pool, paid)
    if tournament.format_rules.draws_pool:
        return spins.prizes(tournament, pool)
    return None


def at_end(tournament: Tournament, stacks: Mapping[int, int]) -> list[int]:
    """Return the prizes by place for the stacks {entry: chips} of the live entries.

    Paid places of entries that went out in the last hand have no stack (F-09).
    """
    if agreed := deal_field.agreed_prizes(tournament):
        return agreed
    if tournament.time_over and tournament.time_up == TimeUp.PROPORTIONAL:
        return _proportional(tournament.prizes, stacks)
    if not tournament.format_rules.half_by_chips:
        return list(tournament.prizes)
    assert tournament.pool is not None, "a format without sales fixes its pool at the start"
    paid = formats.places_paid_by_half(tournament.entrants)
    chips = sorted(stacks.values(), reverse=True)
    return tournament.format_rules.half_shares(
        tournament.pool, [*chips, *[0] * (paid - len(chips))]
    )


def _proportional(prizes: Sequence[int], stacks: Mapping[int, int]) -> list[int]:
    """Split the live entries' prizes by chips; entries out in the money keep theirs (T-11)."""
    left = len(stacks)
    if not any(stacks.values()):  # the last entry with chips was disqualified (T-15)
        return list(prizes)
    chips = sorted(stacks.values(), reverse=True)
    return [*formats.proportional(sum(prizes[:left]), chips), *prizes[left:]]
