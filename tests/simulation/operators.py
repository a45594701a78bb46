"""Who registers, and what operators do; each asks again when the answer got lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import OperationalError
from redis.exceptions import RedisError

from accounts.models import User
from tests.simulation.options import Offered
from tournaments import offers, operations, registration, sales
from tournaments.engine.lifecycle import ENDED
from tournaments.models import Offer, Structure, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import State
from tournaments.refusals import REFUSALS

if TYPE_CHECKING:
    from tests.simulation.world import World

AGAIN_MS = 700
TRIES_MAX = 3
LOOKS_AGAIN_MS = 3_000
OFFERS_MS = 1_500
OPERATOR = "operator"


class Operators:
    """Offers a tournament, lets players register, and does what the offer says to it."""

    def __init__(self, world: World) -> None:
        self.world = world

    def offer(self, wanted: Offered) -> int:
        """A tournament whose registration is open."""
        row = Structure.objects.create(
            name=f"simulated {Structure.objects.count()}",
            items=encoded(wanted.structure),
            starting_stack=wanted.fields["starting_stack"],
        )
        made = offers.create_from_structure(
            row, name="Simulated", password=wanted.password, **wanted.fields
        )
        return operations.open(made.pk).pk

    def plan(self, tournament: int, wanted: Offered, chance: random.Random) -> None:
        """Everybody comes within a second or so; some change their minds."""
        for number, user in enumerate(self.world.users[: wanted.players], start=1):
            is_late = number > wanted.players - wanted.late
            at_ms = chance.randint(4_100, 12_000) if is_late else chance.randint(1, 900)
            if wanted.fields.get("entries_max", 1) > 1:
                again_ms = chance.randint(6_000, 15_000)
                self._registers(again_ms, user, tournament, wanted.password)
            self._registers(at_ms, user, tournament, wanted.password)
            if chance.random() < 0.12:
                self._later(
                    at_ms + chance.randint(1, 600),
                    f"user {user} unregisters",
                    lambda user=user: registration.unregister(_user(user), tournament),
                )
                if chance.random() < 0.4:
                    self._later(
                        at_ms + 650,
                        f"user {user} unregisters again",
                        lambda user=user: registration.unregister(_user(user), tournament),
                    )
                self._registers(at_ms + 1_000, user, tournament, wanted.password)
            if chance.random() < 0.05:
                self._registers(at_ms + 20, user, tournament, "wrong")
        for at_ms, what in wanted.operations:
            self._later(at_ms, what, lambda what=what: getattr(operations, what)(tournament))
        self.world.soon(LOOKS_AGAIN_MS, OPERATOR, lambda: self.watch(tournament))
        if wanted.sells:
            self._later(OFFERS_MS, OPERATOR, lambda: self.answer_offers(tournament))

    def answer_offers(self, tournament: int) -> None:
        """Whoever may buy again does, declines, asks twice, or lets the offer run out."""
        chance = self.world.step_chance
        rows = Offer.objects.filter(tournament=tournament, state=Offer.State.OPEN)
        for pk, user in rows.order_by("pk").values_list("pk", "entry__user_id"):
            roll = chance.random()
            if roll < 0.7:
                buys = roll < 0.5
                act = partial(sales.answer, _user(user), pk, buy=buys)
                self._later(chance.randint(1, 800), f"user {user} answers an offer", act)
                if chance.random() < 0.2:
                    self._later(chance.randint(1, 900), f"user {user} answers again", act)
        if chance.random() < 0.5:
            user = chance.choice(self.world.users)
            ask = partial(sales.request_rebuy, _user(user), tournament)
            self._later(chance.randint(1, 500), f"user {user} asks for a re-buy", ask)
        if Tournament.objects.get(pk=tournament).state not in ENDED:
            self._later(OFFERS_MS, OPERATOR, lambda: self.answer_offers(tournament))

    def watch(self, tournament: int) -> None:
        """An operator who looks at the room now and then leaves nothing paused for ever."""
        self.world.soon(LOOKS_AGAIN_MS, OPERATOR, lambda: self.watch(tournament))
        row = Tournament.objects.get(pk=tournament)
        if row.state == State.PAUSED and self.world.is_calm:
            operations.resume(tournament)

    def close(self, tournament: int) -> None:
        """Nobody comes any more: whoever waits for players gets his money back."""
        self._later(0, "cancel", lambda: operations.cancel(tournament))

    def _registers(self, in_ms: int, user: int, tournament: int, password: str) -> None:
        self._later(
            in_ms,
            f"user {user} registers",
            lambda: registration.register(
                _user(user), Tournament.objects.get(pk=tournament), password
            ),
        )

    def _later(self, in_ms: int, what: str, ask: Callable[[], Any], tries: int = 1) -> None:
        def act() -> None:
            try:
                ask()
            except REFUSALS as refusal:
                self.world.say(f"{what}: refused, {refusal.code}")
            except (OperationalError, RedisError):
                if tries < TRIES_MAX:
                    self._later(AGAIN_MS, what, ask, tries + 1)
                raise

        self.world.soon(in_ms, what, act)


def _user(pk: int) -> User:
    return User.objects.get(pk=pk)
