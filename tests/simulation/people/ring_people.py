"""Players and operators of the ring game of a world: they sit, top up, straddle, wait and leave."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from accounts.models import User
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.sessions import (
    choices,
    leaving,
    operating,
    penalties,
    sit_down,
    top_up,
    waiting_list,
)
from tests.simulation.ring_game import open_ring_game
from tests.simulation.ring_terms import RingOffered

if TYPE_CHECKING:
    from tests.simulation.people.operators import Operators

VISITS_MS = 1_200


class RingPeople:
    """Players of one ring game, and its operator, through `Operators.later`."""

    def __init__(self, operators: Operators, wanted: RingOffered) -> None:
        self.operators = operators
        self.world = operators.world
        self.wanted = wanted
        self.game = 0

    def open(self, chance: random.Random) -> None:
        """Open the game with its rake and jackpot, and plan arrivals and the operator's steps."""
        self.game = open_ring_game(self.wanted)
        users = self.world.users[: self.wanted.players]
        for user in users:
            self._sits(user, chance.randint(1, 3_000), chance)
        for at_ms, what in self.wanted.operations:
            self.operators.later(at_ms, f"ring {what}", partial(self._operate, what))
        self.world.soon(VISITS_MS, self.operators.routine, self.visit)

    def visit(self) -> None:
        """Let some players ask for something, again and again; close the game in the calm."""
        self.world.soon(VISITS_MS, self.operators.routine, self.visit)
        if self.world.is_calm:
            self._close()
            return
        chance, later = self.world.step_chance, self.operators.later
        for session in self._live():
            user, name = session.user_id, f"user {session.user_id}"
            roll = chance.random()
            after_ms = chance.randint(1, 600)
            if roll < 0.15:
                leave = partial(leaving.leave, _user(user), session.pk)
                later(after_ms, f"{name} leaves the ring table", leave)
                if chance.random() < 0.4:
                    later(after_ms + chance.randint(0, 500), f"{name} leaves again", leave)
            elif roll < 0.45:
                amount = self._amount(chance) // chance.choice((1, 2, 4)) or 1
                add = partial(top_up.top_up, _user(user), session.pk, amount)
                later(after_ms, f"{name} tops up", add)
            elif roll < 0.55:
                fill = partial(top_up.set_auto, _user(user), session.pk, chance.random() < 0.7)
                later(after_ms, f"{name} tops up automatically", fill)
            elif roll < 0.65:
                ask = partial(choices.set_straddle, _user(user), session.pk, chance.random() < 0.8)
                later(after_ms, f"{name} straddles", ask)
            elif roll < 0.75:
                ask = partial(choices.set_posting, _user(user), session.pk, chance.random() < 0.7)
                later(after_ms, f"{name} posts", ask)
            elif roll < 0.9:
                self._sits_out(session, after_ms, chance)
        self._arrive(chance)

    def _sits_out(self, session: RingSession, in_ms: int, chance: random.Random) -> None:
        user, later = session.user_id, self.operators.later
        if session.table_id is not None:
            away = partial(self.world.clients.sit_out, user, session.table_id)
            later(in_ms, f"user {user} sits out", away)
            return
        for at_ms, on in ((in_ms, True), (in_ms + chance.randint(100, 5_000), False)):
            rest = partial(choices.set_sitting_out, _user(user), session.pk, on)
            later(at_ms, f"user {user} {'sits out' if on else 'is back'} in the pool", rest)

    def _arrive(self, chance: random.Random) -> None:
        """Let players without a seat sit down, wait for a seat, or take an offered one."""
        seated = {session.user_id for session in self._live()}
        waiting = WaitingPlayer.objects.filter(game=self.game).order_by("pk")
        for offer in waiting:
            if offer.offered_until is not None and chance.random() < 0.7:
                take = partial(
                    waiting_list.take, _user(offer.user_id), offer.pk, self._amount(chance)
                )
                self.operators.later(
                    chance.choice((1, 300, 4_000)), f"user {offer.user_id} takes a seat", take
                )
            elif chance.random() < 0.05:
                gone = partial(waiting_list.give_up, _user(offer.user_id), self.game)
                self.operators.later(1, f"user {offer.user_id} waits no more", gone)
        for user in self.world.users[: self.wanted.players]:
            if user in seated:
                continue
            if chance.random() < 0.4:
                self._sits(user, chance.randint(1, 900), chance)
            elif chance.random() < 0.3:
                wait = partial(waiting_list.join, _user(user), self.game)
                self.operators.later(chance.randint(1, 900), f"user {user} waits", wait)

    def _sits(self, user: int, in_ms: int, chance: random.Random) -> None:
        word = "wrong" if chance.random() < 0.03 else self.wanted.password
        amount = self._amount(chance)
        sit = partial(sit_down.sit, _user(user), self.game, amount=amount, password=word)
        self.operators.later(in_ms, f"user {user} sits down", sit)
        if chance.random() < 0.1:  # two clicks at once: one wins
            self.operators.later(in_ms, f"user {user} sits down again", sit)

    def _amount(self, chance: random.Random) -> int:
        least, most = self.wanted.fields["buy_in_min"], self.wanted.fields["buy_in_max"]
        return chance.choice((least, least, most, chance.randint(least, most), most + 1))

    def _operate(self, what: str) -> None:
        """Take a planned step through the room's own function."""
        if what in ("freeze", "unfreeze"):
            getattr(operating, what)(None, self.game, "planned")
        elif what == "close":
            operating.close_after_hand(None, self.game, "planned")
        elif live := self._live():
            session = self.world.step_chance.choice(live)
            if what == "kick":
                operating.kick(None, session.pk, "planned")
            else:
                least = self.wanted.fields["buy_in_min"]
                amount = self.world.step_chance.choice((least // 10, least, 100 * least, 0))
                penalties.order(None, session.pk, amount, "planned")

    def _close(self) -> None:
        """Close the game after its hands, once."""
        if RingGame.objects.filter(pk=self.game, state=RingGame.State.OPEN).exists():
            operating.close_after_hand(None, self.game, "the world grows calm")

    def _live(self) -> list[RingSession]:
        rows = RingSession.objects.filter(game=self.game).exclude(state=RingSession.State.LEFT)
        return list(rows.order_by("pk"))


def _user(pk: int) -> User:
    return User.objects.get(pk=pk)
