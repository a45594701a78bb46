"""Rates of false alarms and of hits of each sign, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from config.sums import add_to
from tables.conduct.rules import signs
from tables.conduct.rules.figures import Pair, PairFigures, PlayerFigures, hand_figures
from tests.detection.people import Person, room
from tests.detection.playing import played_hands

HONEST = 18
SEATS = 6
PLANTED = {"dumping": "giver", "soft_play": "soft", "clockwork": "clockwork", "seeing": "seer"}
"""Role that each sign is to find; everybody else is innocent of it."""

Z_95 = 1.96


@dataclass
class SignCount:
    """Alarms of one sign among the innocent and the planted."""

    innocent: int = 0
    false_alarms: int = 0
    planted: int = 0
    hits: int = 0
    highest_innocent: float = 0.0

    def add(self, score: float, *, is_planted: bool) -> None:
        """Add the score of a player or pair."""
        if is_planted:
            self.planted += 1
            self.hits += score >= 1
        else:
            self.innocent += 1
            self.false_alarms += score >= 1
            self.highest_innocent = max(self.highest_innocent, score)


@dataclass
class MeasuredRoom:
    """People of one seed and the figures of their hands so far."""

    people: list[Person]
    players: dict[int, PlayerFigures] = field(default_factory=dict)
    pairs: dict[Pair, PairFigures] = field(default_factory=dict)

    def scores(self) -> Iterator[tuple[str, float, bool]]:
        """Yield each sign's score for every player or pair, and whether it was planted."""
        by_user = {person.user: person for person in self.people}
        for pair, figures in self.pairs.items():
            first, second = (self.players[user] for user in pair)
            role = by_user[pair[0]].role if by_user[pair[0]].mate == pair[1] else "honest"
            score = abs(signs.dumping(figures, first, second))
            yield "dumping", score, role in ("giver", "taker")
            yield "soft_play", signs.soft_play(figures, first, second), role == "soft"
        for user, own in self.players.items():
            role = by_user[user].role
            yield "clockwork", signs.clockwork(own), role == "clockwork"
            yield "seeing", signs.seeing(own), role == "seer"


def measured(
    seeds: range, looks: tuple[int, ...], honest: int = HONEST
) -> dict[int, dict[str, SignCount]]:
    """Return the counts of each sign after so many hands of each room (`looks`, ascending)."""
    found = {look: {name: SignCount() for name in PLANTED} for look in looks}
    for seed in seeds:
        lot = Random(f"detection:{seed}")
        made = MeasuredRoom(room(lot, honest, planted=True))
        for hand in played_hands(made.people, looks[-1], SEATS, lot):
            figures = hand_figures(hand, Random(hand.digest()))
            for user, own in figures.players.items():
                add_to(made.players, user, own)
            for pair, both in figures.pairs.items():
                add_to(made.pairs, pair, both)
            if hand.hand in found:
                for name, score, is_planted in made.scores():
                    found[hand.hand][name].add(score, is_planted=is_planted)
        crashes = Counter({one.user: one.bot.crashes for one in made.people})
        assert not crashes.total(), crashes
    return found


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Return Wilson's interval of a rate at 95 %, in percent."""
    if not tries:
        return 0.0, 100.0
    share, extra = hits / tries, Z_95**2 / tries
    middle = share + extra / 2
    half = Z_95 * sqrt(share * (1 - share) / tries + extra / (4 * tries))
    low, high = (middle - half) / (1 + extra), (middle + half) / (1 + extra)
    return 100 * max(0.0, low), 100 * min(1.0, high)


def row(name: str, count: SignCount) -> str:
    """Return a row of the table in docs/conduct.md."""
    low, high = interval(count.false_alarms, count.innocent)
    least, most = interval(count.hits, count.planted)
    return (
        f"| `{name}` | {count.false_alarms} of {count.innocent} ({low:.2f}-{high:.2f} %)"
        f" | {count.hits} of {count.planted} ({least:.0f}-{most:.0f} %)"
        f" | {count.highest_innocent:.2f} |"
    )
