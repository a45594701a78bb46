"""Law of orbits: nobody plays on at a ring table without the big blind that passed (H-07)."""

from __future__ import annotations

from collections.abc import Iterator

from tables.dealer.record import HandRecord
from tables.engine.positions import clockwise
from tables.engine.state import Positions


class OrbitLaw:
    """Memory of one table over its hands: who has played, and whom which blind passed since."""

    def __init__(self) -> None:
        self._before: Positions | None = None
        self._played: set[int] = set()
        self._missed_small: set[int] = set()
        self._missed_big: set[int] = set()

    def see(self, record: HandRecord) -> Iterator[str]:
        """Return the violations of a hand; hands come in order.

        When fewer than two players owe nothing, play restarts and nobody owes anything.
        """
        positions, players = record.setup.positions, record.setup.players
        if positions.big_blind is None:
            return
        posts = {player.seat: {post.kind for post in player.posts} for player in players}
        dealt = [seat for seat in record.seats if seat.dealt]
        free = [seat for seat in dealt if self._is_free(seat.entry)]
        if self._before is not None and len(free) >= 2:
            for seat in dealt:
                paid = seat.seat == positions.big_blind or "big_blind" in posts[seat.seat]
                if self._owes_big(seat.entry) and not paid:
                    owes = "missed it" if seat.entry in self._played else "is new"
                    yield (
                        f"table {record.table} hand {record.hand}: seat {seat.seat} plays without"
                        f" the big blind and {owes}"
                    )
        entries = {seat.entry for seat in dealt}
        self._played |= entries
        self._missed_big -= entries
        self._missed_small -= entries
        for seat in record.seats:
            if not seat.dealt and seat.entry in self._played:
                self._misses(positions, seat.seat, seat.entry)
        self._before = positions

    def _is_free(self, entry: int) -> bool:
        return not self._owes_big(entry) and entry not in self._missed_small

    def _owes_big(self, entry: int) -> bool:
        return entry not in self._played or entry in self._missed_big

    def _misses(self, now: Positions, seat: int, entry: int) -> None:
        """Note the blinds that went past a seat, or to it, since the hand before."""
        before = self._before
        if before is None or before.big_blind is None or now.big_blind is None:
            return
        if _passes(before.big_blind, now.big_blind, seat):
            self._missed_big.add(entry)
        small = before.dead_small_blind if before.small_blind is None else before.small_blind
        if small is not None and _passes(small, before.big_blind, seat):
            self._missed_small.add(entry)


def _passes(start: int, end: int, seat: int) -> bool:
    around = clockwise(start, {start, end, seat})
    return around.index(seat) <= around.index(end)
