"""Signs of unfair play: one score for each kind, from added figures (pure).

A score of 1 is the threshold of its sign; `docs/conduct.md` has the reasons, and the rates of false
alarms and of hits that `make detection` measures. A sign is a reason to look, never a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from tables.conduct.rules.calls import STRENGTHS
from tables.conduct.rules.figures import PairFigures, PlayerFigures
from tables.conduct.rules.times import entropy_bits

DUMPING_Z = 5.0
"""Standard errors by which the flow of a pair exceeds what both lose to and win from others.

For symmetric flows a sum divided by the root of its squares exceeds z with a probability of at most
exp(-z * z / 2) (Efron 1969): one in 270,000 pairs at 5.
"""
DUMPED_BLINDS_MIN = 100
DUMPING_MEETINGS_MIN = 8

SOFT_Z = 4.5
"""Standard errors by which a pair's duels are quiet more often than both their others."""
SOFT_DUELS_MIN = 8

CLOCKWORK_BITS = 1.6
"""Entropy of the times of decisions.

Times of people are about log-normal (Luce 1986, Response Times) with a spread of 0.5 or more, which
is 2.5 bits in buckets of half an octave; a constant with a fifth of jitter is about 1.
"""
CLOCKWORK_DECISIONS_MIN = 200

TIRELESS_HOURS = 20
TIRELESS_DAYS = 3
"""Days with play in so many different hours: people sleep seven hours (Hirshkowitz 2015)."""

SEEING_Z = 4.5
"""Standard errors by which calls and folds depend on the hidden cards beyond own strength.

The test of Mantel and Haenszel (1959), with a table for each class of own strength: who sees only
the own cards calls as often ahead as behind within a class, but for the width of the class.
"""
SEEING_DECISIONS_MIN = 30


def dumping(pair: PairFigures, first: PlayerFigures, second: PlayerFigures) -> float:
    """Return the score of chips given from the first to the second; negative the other way."""
    count = pair.meetings
    if count < DUMPING_MEETINGS_MIN or abs(pair.flow) < 100 * DUMPED_BLINDS_MIN:
        return 0.0
    given, error_given = _usual(first, pair.capped, pair)
    taken, error_taken = _usual(second, -pair.capped, pair)
    beyond = pair.capped - count * (given - taken)
    if beyond * pair.flow <= 0 or not pair.squares:
        return 0.0
    # The usual flow of a player with an accomplice is wrong for all others: the flow of the pair
    # must be unlikely without it too.
    alone = pair.capped / sqrt(pair.squares)
    z = beyond / sqrt(pair.squares + count * count * (error_given + error_taken))
    return min(z, alone, key=abs) / DUMPING_Z


def soft_play(pair: PairFigures, first: PlayerFigures, second: PlayerFigures) -> float:
    """Return the score of duels in which neither bets, against those with other players.

    Expected are as many as if each kept quiet as often as against others.
    """
    count = pair.duels
    if count < SOFT_DUELS_MIN:
        return 0.0
    one, error_one = _quiet_share(first, pair.first_quiet, count)
    two, error_two = _quiet_share(second, pair.second_quiet, count)
    expected = one * two
    spread = count * expected * (1 - expected)
    spread += count * count * (error_one * two * two + error_two * one * one)
    return max(0.0, (pair.both_quiet - count * expected) / sqrt(spread) / SOFT_Z)


def clockwork(player: PlayerFigures) -> float:
    """Return the score of decisions that take too equal a time."""
    if sum(player.times) < CLOCKWORK_DECISIONS_MIN:
        return 0.0
    return CLOCKWORK_BITS / max(0.1, entropy_bits(player.times))


def tireless(hours_of_days: Sequence[int]) -> float:
    """Return the score of play around the clock, from the number of hours played on each day."""
    longest = sorted(hours_of_days, reverse=True)[:TIRELESS_DAYS]
    return longest[-1] / TIRELESS_HOURS if len(longest) == TIRELESS_DAYS else 0.0


def seeing(player: PlayerFigures) -> float:
    """Return the score of calls and folds that fit the opponent's hidden cards."""
    if sum(player.calls) < SEEING_DECISIONS_MIN:
        return 0.0
    surplus, spread = 0.0, 0.0
    for strength in range(STRENGTHS):
        fold_behind, stay_behind, fold_ahead, stay_ahead = player.calls[
            4 * strength : 4 * strength + 4
        ]
        ahead, behind = fold_ahead + stay_ahead, fold_behind + stay_behind
        stayed, folded = stay_ahead + stay_behind, fold_ahead + fold_behind
        total = ahead + behind
        if total > 1:
            surplus += stay_ahead - ahead * stayed / total
            spread += ahead * behind * stayed * folded / (total * total * (total - 1))
    return max(0.0, surplus / sqrt(spread) / SEEING_Z) if spread else 0.0


def shared_browser(pair: PairFigures, logins: int) -> float:
    """Return the score of accounts that logged in with one browser and met in hands."""
    return 1.0 if logins and pair.meetings else 0.0


def _usual(player: PlayerFigures, capped: int, pair: PairFigures) -> tuple[float, float]:
    """Return what a player gives to others in a meeting, and the square of its standard error."""
    others = player.meetings - pair.meetings
    if others < 1:
        return 0.0, 0.0
    return (player.capped - capped) / others, (player.squares - pair.squares) / (others * others)


def _quiet_share(player: PlayerFigures, quiet: int, count: int) -> tuple[float, float]:
    """Return the share of quiet duels with others, and the square of its standard error."""
    others = player.duels - count + 2  # one quiet and one other in advance (Laplace)
    share = (player.quiet_duels - quiet + 1) / others
    return share, share * (1 - share) / others
