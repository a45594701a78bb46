"""Law of the log: every told seal is in it once with one fate, and heads only grow."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any
from unittest.mock import patch

from django.conf import settings

from tables.dealer.state import TableState
from tables.fairlog import storage
from tables.fairlog.keeper import Keeper
from tables.fairlog.models import LogLeaf
from tables.fairness import tree
from tables.fairness.encoding import HASH_SIZE, ZEROS
from tables.fairness.leaves import Fate, LeafKind
from tables.history.hand_proofs import logged_parts
from tables.models import Hand, SealedDeck
from tables.records import stored

Called = tuple[int, int, int]
"""Table, epoch and hand of a call."""


class _KeeperDied(BaseException):
    """The keeper was killed in the middle of its turn."""


class LogLaw:
    """Keeper of the log that often dies, what tables told, and the heads that were signed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"{seed} keeper")
        self._keeper = Keeper()
        self._calls: dict[Called, bytes] = {}
        self._seals: set[bytes] = set()
        self._lost: set[bytes] = set()
        self._heads: dict[int, bytes] = {}
        self._twice: list[str] = []

    def saw(self, state: TableState) -> None:
        """Note the call that a table tells: a hand is called once, to one roster."""
        if state.called is None:
            return
        name = (state.table, state.epoch, state.hand_number)
        if state.called.sealed.seal not in self._lost:  # a table that ended keeps its last call
            self._seals.add(state.called.sealed.seal)
        if self._calls.setdefault(name, state.called.call) != state.called.call:
            self._twice.append(f"table {name[0]} hand {name[2]} was called to two rosters")

    def forget(self) -> None:
        """Forget the calls: Redis was emptied or set back, and may call a hand again."""
        self._calls.clear()

    def set_back(self) -> None:
        """Forget what PostgreSQL lost: heads over more leaves, and seals that it does not know."""
        head, self._calls = storage.head(), {}
        size = 0 if head is None else head.size
        self._heads = {leaves: root for leaves, root in self._heads.items() if leaves <= size}
        known = {bytes(seal) for seal in SealedDeck.objects.values_list("seal", flat=True)}
        self._lost |= self._seals - known
        self._seals &= known

    def look(self) -> Iterator[str]:
        """Return the violations so far: hands called twice, heads that are not of the leaves."""
        self._keep()
        yield from self._twice
        head = storage.head()
        if head is None or head.size in self._heads:
            return
        hashes = [tree.leaf_hash(leaf) for leaf in storage.entries(0, head.size)]
        for size, root in (*self._heads.items(), (head.size, bytes(head.root))):
            if size > head.size or tree.root_of(hashes[:size]) != root:
                yield f"the head over {size} leaves is not that of the log"
        self._heads[head.size] = bytes(head.root)

    def _keep(self) -> None:
        """Take a turn as keeper; one that dies after a write is followed by another one.

        The law takes it, not a step of the world: the log changes no course of a table.
        """
        after = self._chance.choice(("append", "write_tiles", "head", "", "", ""))
        real = getattr(storage, after, None)

        def dying(*given: Any) -> None:
            assert real is not None
            real(*given)
            raise _KeeperDied

        try:
            with patch.object(storage, after, dying) if real else nullcontext():
                self._keeper.take_turn()
        except _KeeperDied:
            self._keeper = Keeper()

    def at_the_end(self) -> Iterator[str]:
        """Return the violations once all tables are closed and all is logged."""
        while Keeper().take_turn():
            pass
        yield from self.look()
        places: dict[LeafKind, dict[bytes, int]] = {LeafKind.SEAL: {}, LeafKind.FATE: {}}
        count: Counter[tuple[LeafKind, bytes]] = Counter()
        for index, leaf in enumerate(storage.entries(0, storage.size())):
            kind, seal = LeafKind(leaf[1]), leaf[38:70]
            if kind in places:
                places[kind][seal] = index
                count[kind, seal] += 1
        sealed, ended = places[LeafKind.SEAL], places[LeafKind.FATE]
        known = {bytes(seal) for seal in SealedDeck.objects.values_list("seal", flat=True)}
        for seal in sorted(self._seals | known | sealed.keys() | ended.keys()):
            if count[LeafKind.SEAL, seal] != 1 or count[LeafKind.FATE, seal] != 1:
                yield (
                    f"seal {seal.hex()[:8]} is in the log {count[LeafKind.SEAL, seal]} times,"
                    f" its fate {count[LeafKind.FATE, seal]} times"
                )
            elif sealed[seal] > ended[seal]:
                yield f"the fate of seal {seal.hex()[:8]} is in the log before it"
        if LogLeaf.objects.filter(index=None).exists():
            yield "leaves wait for the log after the end"
        yield from _wrong_ends()


def _wrong_ends() -> Iterator[str]:
    """Return the played hands whose leaf is not what their record, played again, makes of them."""
    ends = LogLeaf.objects.filter(kind=LeafKind.FATE, deck__fate=Fate.PLAYED)
    played = {
        (table, hand): bytes(leaf)
        for table, hand, leaf in ends.values_list("deck__table", "deck__hand", "leaf")
        if leaf is not None
    }
    for hand in Hand.objects.only("table_id", "number", "record"):
        leaf = played.get((hand.table_id, hand.number))
        if leaf is None:
            continue
        kept = stored.decode_open(bytes(hand.record))
        public, course = logged_parts(kept, origin=settings.FAIR_ORIGIN)
        if leaf[-2 * HASH_SIZE :] != (public or ZEROS) + (course or ZEROS):
            yield f"the log tells another hand {hand.number} of table {hand.table_id}"
