"""Who registers, and what operators do; each asks again when the answer got lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.db import OperationalError
from redis.exceptions import RedisError

from accounts.models import User
from tests.simulation.options import Offer
from tournaments import offers, operations, registration
from tournaments.engine.lifecycle import ENDED
from tournaments.models import Structure, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import State
from tournaments.refusals import REFUSALS

if TYPE_CHECKING:
    from tests.simulation.world import World

AGAIN_MS = 700
TRIES_MAX = 3
LOOKS_AGAIN_MS = 3_000
OPERATOR = "operator"


class Operators:
    """Offers a tournament, lets players register, and does what the offer says to it."""

    def __init__(self, world: World) -> None:
        self.world = world

    def offer(self, wanted: Offer) -> int:
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

    def plan(self, tournament: int, wanted: Offer, chance: random.Random) -> None:
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
        self._later(LOOKS_AGAIN_MS, OPERATOR, lambda: self.watch(tournament))

    def watch(self, tournament: int) -> None:
        """An operator who looks at the room now and then leaves nothing paused for ever."""
        row = Tournament.objects.get(pk=tournament)
        if row.state == State.PAUSED and self.world.is_calm:
            operations.resume(tournament)
        if row.state not in ENDED:
            self.world.soon(LOOKS_AGAIN_MS, OPERATOR, lambda: self.watch(tournament))

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
