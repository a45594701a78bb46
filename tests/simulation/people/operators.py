"""Registrations and operator steps; each request is repeated when its answer was lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import OperationalError
from redis.exceptions import RedisError

from accounts.models import User
from config.refusals import Refusal
from tests.simulation.options import Offered
from tests.simulation.people.errands import Errands
from tournaments.engine.lifecycle import ENDED
from tournaments.entries import registration
from tournaments.models import Offer, Structure, Template, Tournament
from tournaments.models.structure import encoded
from tournaments.models.tournament import State
from tournaments.running import operations, sales, series
from tournaments.schedule import making

if TYPE_CHECKING:
    from tests.simulation.world import World

AGAIN_MS = 700
TRIES_MAX = 3
LOOKS_AGAIN_MS = 3_000
OFFERS_MS = 1_500
OPERATOR = "operator"
MINUTE = "minute"


class Operators:
    """Operator of one seed: offers tournaments, registers players, applies the planned steps."""

    routine = OPERATOR

    def __init__(self, world: World) -> None:
        self.world = world
        self.errands = Errands(self)

    def offer(self, wanted: Offered, chance: random.Random) -> int:
        """Open a tournament for registration, with its target or template if it has one."""
        row = Structure.objects.create(
            name=f"simulated {Structure.objects.count()}",
            items=encoded(wanted.structure),
            starting_stack=wanted.fields["starting_stack"],
        )
        self.errands.give_tickets(wanted, chance)
        fields = dict(wanted.fields)
        if wanted.target is not None:
            target = making.create_from_structure(row, name="Target", **wanted.target)
            fields["target"] = operations.open(target.pk)
            self.later(1_000, self.routine, lambda: self.errands.go_on(target.pk))
        made = making.create_from_structure(
            row, name="Simulated", password=wanted.password, **fields
        )
        if wanted.templated:
            self._template(made, wanted)
        return operations.open(made.pk).pk

    def plan(self, tournament: int, wanted: Offered, chance: random.Random) -> None:
        """Schedule all registrations within about a second; some players unregister again."""
        self.everybody_comes(tournament, wanted, chance)
        for at_ms, what in wanted.operations:
            self.later(at_ms, what, partial(getattr(operations, what), tournament))
        self.world.soon(LOOKS_AGAIN_MS, OPERATOR, self.watch)

    def everybody_comes(self, tournament: int, wanted: Offered, chance: random.Random) -> None:
        """Register the players, some twice or with a wrong password, and answer re-buy offers."""
        more = wanted.fields.get("entries_max", 1) - 1
        at_once = wanted.fields.get("several_at_once", False)
        for number, user in enumerate(self.world.users[: wanted.players], start=1):
            is_late = number > wanted.players - wanted.late
            at_ms = chance.randint(4_100, 12_000) if is_late else chance.randint(1, 900)
            for _ in range(more):
                again_ms = (
                    at_ms if at_once and chance.random() < 0.6 else chance.randint(6_000, 15_000)
                )
                self._registers(again_ms, user, tournament, wanted, chance)
            self._registers(at_ms, user, tournament, wanted, chance)
            if chance.random() < 0.12:
                self.later(
                    at_ms + chance.randint(1, 600),
                    f"user {user} unregisters",
                    partial(_unregister, user, tournament),
                )
                if chance.random() < 0.4:
                    self.later(
                        at_ms + 650,
                        f"user {user} unregisters again",
                        partial(_unregister, user, tournament),
                    )
                self._registers(at_ms + 1_000, user, tournament, wanted, chance)
            if chance.random() < 0.05:
                self._registers(at_ms + 20, user, tournament, wanted, chance, "wrong")
        if wanted.sells:
            self.later(OFFERS_MS, OPERATOR, lambda: self.answer_offers(tournament))
        if wanted.fields.get("deals_allowed"):
            self.later(OFFERS_MS, OPERATOR, lambda: self.errands.deal(tournament))

    def answer_offers(self, tournament: int) -> None:
        """Answer open offers: buy, decline, answer twice, or let them expire."""
        chance = self.world.step_chance
        rows = Offer.objects.filter(tournament=tournament, state=Offer.State.OPEN)
        for pk, user in rows.order_by("pk").values_list("pk", "entry__user_id"):
            roll = chance.random()
            if roll < 0.7:
                buys = roll < 0.5
                act = partial(sales.answer, _user(user), pk, buy=buys)
                self.later(chance.randint(1, 800), f"user {user} answers an offer", act)
                if chance.random() < 0.2:
                    self.later(chance.randint(1, 900), f"user {user} answers again", act)
        if chance.random() < 0.5:
            user = chance.choice(self.world.users)
            ask = partial(sales.request_rebuy, _user(user), tournament)
            self.later(chance.randint(1, 500), f"user {user} asks for a re-buy", ask)
        if Tournament.objects.get(pk=tournament).state not in ENDED:
            self.later(OFFERS_MS, OPERATOR, lambda: self.answer_offers(tournament))

    def watch(self) -> None:
        """Resume paused tournaments now and then, so that nothing stays paused forever."""
        self.world.soon(LOOKS_AGAIN_MS, OPERATOR, self.watch)
        if self.world.is_calm:
            for row in Tournament.objects.filter(state=State.PAUSED).order_by("pk"):
                operations.resume(row.pk)

    def close(self, tournament: int) -> None:
        """Cancel tournaments that still wait for players, so that entries are refunded."""
        self.later(0, "template off", self.errands.no_more)
        self.later(1, "cancel", lambda: operations.cancel(tournament))

    def _template(self, made: Tournament, wanted: Offered) -> None:
        """Create a template of the offer that opens a new tournament when this one starts."""
        template = series.from_tournament(made, "Simulated series")
        template.schedule = Template.Schedule.REFILL
        template.save()
        Tournament.objects.filter(pk=made.pk).update(template=template)
        self.later(
            LOOKS_AGAIN_MS,
            OPERATOR,
            lambda: self.errands.come_again(template.pk, wanted, frozenset({made.pk})),
        )

    def _registers(
        self,
        in_ms: int,
        user: int,
        tournament: int,
        wanted: Offered,
        chance: random.Random,
        password: str | None = None,
    ) -> None:
        by_ticket = wanted.fields.get("methods", "money") != "money" and chance.random() < 0.8
        self.later(
            in_ms,
            f"user {user} registers",
            lambda: registration.register(
                _user(user),
                Tournament.objects.get(pk=tournament),
                wanted.password if password is None else password,
                ticket="any" if by_ticket else "",
            ),
        )

    def later(self, in_ms: int, what: str, ask: Callable[[], Any], tries: int = 1) -> None:
        """Schedule a request to the room, repeated when its answer was lost; the trace shows
        refusals.
        """

        def act() -> None:
            try:
                ask()
            except Refusal as refusal:
                self.world.say(f"{what}: refused, {refusal.code}")
            except ObjectDoesNotExist:
                if not self.world.database.was_set_back:
                    raise
                self.world.say(f"{what}: it is gone")
            except (OperationalError, RedisError):
                if tries < TRIES_MAX:
                    self.later(AGAIN_MS, what, ask, tries + 1)
                raise

        self.world.soon(in_ms, what, act)


def _unregister(user: int, tournament: int) -> None:
    registration.unregister(_user(user), tournament)


def _user(pk: int) -> User:
    return User.objects.get(pk=pk)
