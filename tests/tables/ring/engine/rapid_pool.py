"""A rapid pool without cards: players fold at random times, tables ask for their next hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from tables.ring.engine.rapid import (
    RapidHand,
    RapidPlayer,
    RapidTerms,
    RapidView,
    RapidWait,
    hands_since,
    plan_rapid_hand,
)

STEP_MS = 500


class Pool:
    """Players of a pool by state, and the blinds each of them has posted."""

    def __init__(self, seed: int, players: int, terms: RapidTerms) -> None:
        self.lot, self.terms = Random(seed), terms
        self.now_ms = 0
        self.ready = {
            number: RapidPlayer(number, self.lot.randrange(1_000)) for number in range(players)
        }
        self.tables: dict[int, dict[int, RapidPlayer]] = {}
        self.players = players
        self.dealt: Counter[int] = Counter()
        self.posted: Counter[int] = Counter()
        self.longest_wait_ms = 0
        self.sizes: Counter[int] = Counter()
        self.waits = 0

    def ask(self, table: int) -> RapidHand | RapidWait:
        """Ask for the next hand of a table without one."""
        longest = sorted(self.ready.values(), key=lambda player: player.ready_ms)
        view = RapidView(tuple(longest[: self.terms.seats_max]), self.players, self.now_ms)
        answer = plan_rapid_hand(view, self.terms, shuffle=self.shuffle)
        if isinstance(answer, RapidWait):
            self.waits += 1
            return answer
        self.deal(table, answer)
        return answer

    def deal(self, table: int, hand: RapidHand) -> None:
        """Deal in the players of a hand; each of them must have been ready."""
        self.sizes[len(hand.entries)] += 1
        self.tables[table] = {}
        for seat, entry in hand.entries.items():
            player = self.ready.pop(entry)
            self.longest_wait_ms = max(self.longest_wait_ms, self.now_ms - player.ready_ms)
            self.tables[table][entry] = count_blinds(player, hand)
            self.dealt[entry] += 1
            self.posted[entry] += seat == hand.positions.big_blind

    def step(self) -> None:
        """Let time pass; some players fold and are ready at once, some hands end."""
        self.now_ms += STEP_MS
        for number, hand in list(self.tables.items()):
            for entry in list(hand):
                if self.lot.random() < 0.3:
                    self.free(number, entry)
            if len(hand) <= 1:
                for entry in list(hand):
                    self.free(number, entry)
                del self.tables[number]

    def free(self, table: int, entry: int) -> None:
        """Let a player fold."""
        self.ready[entry] = self.tables[table].pop(entry)._replace(ready_ms=self.now_ms)

    def shuffle(self, entries: Sequence[int]) -> list[int]:
        """Return the entries in a random order."""
        return self.lot.sample(entries, len(entries))


def count_blinds(player: RapidPlayer, hand: RapidHand) -> RapidPlayer:
    """Return the player with the counts after a hand he was dealt in."""
    seat = next(seat for seat, entry in hand.entries.items() if entry == player.entry)
    return player._replace(
        since_big=hands_since(player.since_big, seat == hand.positions.big_blind),
        since_small=hands_since(player.since_small, seat == hand.positions.small_blind),
    )
