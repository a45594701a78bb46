"""Simulated browsers that cut the deck; some are late or silent, and some lie."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from room_client.cutter import Cutter, bound_to
from room_client.view import seat_of
from tables.dealer.state import TableState
from tables.fairness.cutting import pledge_of
from tables.store import inbox
from tables.store.keys import table as member_of
from tables.wire.client_commands import ClientMessage, CutDeck
from tables.workers import bells, sealing
from tests.tables.client_side import command, snapshot

if TYPE_CHECKING:
    from tests.simulation.world import World

SentAt = tuple[int, int, int, int]
"""User, table, epoch and hand of a seed."""


NEVER_MS = 2**63
"""Time at which a cut was accepted whose answer is lost."""


class Cuts:
    """All browsers of the world: their seeds, and when each was accepted by the room."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.accepted: dict[SentAt, dict[str, tuple[int, int]]] = {}
        """Seeds by hand, with the elapsed times before and after their first arrival."""
        self.pledged: dict[str, int] = {}
        """Elapsed time at which each pledge came last, as far as anybody knows."""
        self.open: dict[tuple[int, bytes], int] = {}
        """Elapsed time since which the room has surely known the seed of each bound pledge."""
        self._pledges: dict[str, tuple[int, bytes]] = {}
        self._chance = random.Random(f"{world.seed} seeds")
        self._cutters: dict[int, Cutter] = {}
        self._seen: set[tuple[int, int, int]] = set()

    def see(self, state: TableState, chance: random.Random) -> None:
        """Read a table that calls for cuts; every browser at it answers once, or not at all."""
        if state.phase != "granted" or state.called is None:
            return
        called = (state.table, state.epoch, state.hand_number)
        if called in self._seen:
            return
        self._seen.add(called)
        for seat in state.seats:
            shown = snapshot(state, seat.user)
            own = seat_of(shown, seat.user)
            assert own is not None
            if chance.random() < 0.05:
                continue  # the tab sleeps
            for message in self._cutter(seat.user).shown(shown, own):
                cut = command(message)
                self._remember(cut, bound_to(own))
                self._answer(seat.user, cut, chance)

    def forget(self) -> None:
        """Forget what was kept: Redis was emptied or set back. Cuts may come again later."""
        for kept in self.accepted.values():
            kept.update({seed: (sent_ms, NEVER_MS) for seed, (sent_ms, _) in kept.items()})

    def _cutter(self, user: int) -> Cutter:
        if user not in self._cutters:
            self._cutters[user] = Cutter(lambda: self._chance.randbytes(32))
            self._cutters[user].enter(sealing.room().hex())
        return self._cutters[user]

    def _remember(self, message: ClientMessage, bound: int) -> None:
        """Remember which pledge the seed of a message opens."""
        if isinstance(message, CutDeck) and message.seed is not None:
            pledge = pledge_of(sealing.room(), bound, bytes.fromhex(message.seed))
            self._pledges[message.seed] = bound, pledge

    def _answer(self, user: int, message: ClientMessage, chance: random.Random) -> None:
        assert isinstance(message, CutDeck)
        wait_ms = chance.choice((5, 20, 90, 250, 390, 900))
        self._soon(wait_ms, user, message)
        if chance.random() < 0.1:
            self._soon(chance.choice((1, 300, 4_000, 15_000)), user, message)
        if chance.random() < 0.05:
            lie = CutDeck(message.table, message.epoch, message.hand, seed="0f" * 32)
            self._soon(wait_ms - 3, user, lie)
        if chance.random() < 0.05:
            self._soon(wait_ms + 2, chance.choice(list(self.world.users)), message)

    def _soon(self, wait_ms: int, user: int, cut: CutDeck) -> None:
        self.world.soon(wait_ms, f"cut of user {user}", lambda: self._send(user, cut))

    def _send(self, user: int, cut: CutDeck) -> None:
        """Do what the gateway does with a cut."""
        at_ms = self.world.elapsed_ms
        try:
            status, ring = inbox.append_cut(self.world.redis, cut.table, user, cut)
        except BaseException:
            self._note_pledge(cut)
            # The cut may have arrived though its answer is lost: it counts as sent, never as kept.
            if cut.seed is not None:
                key = (user, cut.table, cut.epoch, cut.hand)
                self.accepted.setdefault(key, {}).setdefault(cut.seed, (at_ms, NEVER_MS))
            raise
        self._note_pledge(cut)
        if ring:
            bells.ring(member_of(cut.table), "play")
        if status == "accepted" and cut.seed is not None:
            if cut.seed in self._pledges:
                self.open.setdefault(self._pledges[cut.seed], self.world.elapsed_ms)
            kept = self.accepted.setdefault((user, cut.table, cut.epoch, cut.hand), {})
            # A gateway may freeze while it sends: the room stamps the cut in between.
            sent_ms, kept_ms = kept.get(cut.seed, (at_ms, NEVER_MS))
            if kept_ms == NEVER_MS:
                kept[cut.seed] = (sent_ms, self.world.elapsed_ms)

    def _note_pledge(self, cut: CutDeck) -> None:
        if cut.pledge is not None:
            self.pledged[cut.pledge] = self.world.elapsed_ms
