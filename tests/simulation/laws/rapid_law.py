"""Laws of rapid pools: nobody is in two hands at once, no chip is lost between them (R-03)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tables.dealer.record import HandRecord
from tables.engine.actions import Fold
from tables.ring.models import RapidStay, RingSession


class Spell(NamedTuple):
    """Time a player was in a hand: from its deal to the fold, else to its end; in ms."""

    began_ms: int
    ended_ms: int
    table: int
    hand: int


class RapidLaw:
    """Memory of the hands that players of rapid pools were in."""

    def __init__(self) -> None:
        self._spells: defaultdict[tuple[int, int], list[Spell]] = defaultdict(list)

    def see(self, kept: HandRecord) -> Iterator[str]:
        """Return the violations of one settled hand: players who were in another one meanwhile."""
        folds = {
            played.seat: kept.began_ms + note.at_ms
            for played, note in zip(kept.actions, kept.notes, strict=False)
            if isinstance(played.action, Fold)
        }
        for seat in kept.seats:
            if not seat.dealt:
                continue
            ended_ms = folds.get(seat.seat, kept.ended_ms)
            spell = Spell(kept.began_ms, ended_ms, kept.table, kept.hand)
            for other in self._spells[kept.game, seat.user]:
                if spell.began_ms < other.ended_ms and other.began_ms < spell.ended_ms:
                    yield (
                        f"user {seat.user} was in hands {spell.table}/{spell.hand}"
                        f" and {other.table}/{other.hand} at once"
                    )
            self._spells[kept.game, seat.user].append(spell)


def chips() -> Iterator[tuple[int, int]]:
    """Return chips by game: of sessions in pools, and of hands less what folds have freed."""
    pools = RingSession.objects.filter(game__rapid=True)
    for game, stack, coming in pools.values_list("game", "stack", "coming"):
        yield game, stack + coming
    live = RapidStay.objects.filter(ended=False)
    for game, brought, freed in live.values_list("session__game", "chips", "freed_chips"):
        yield game, brought - (freed or 0)
