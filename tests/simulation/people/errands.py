"""Requests of players besides actions: tickets, deals, satellite targets, later tournaments."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import User
from tests.simulation.formats import ACTIVITY
from tests.simulation.options import Offered
from tournaments.engine.lifecycle import ENDED
from tournaments.entries import registration
from tournaments.models import Deal, Entry, Template, Ticket, Tournament
from tournaments.models.tournament import State
from tournaments.prizes import tickets
from tournaments.running import deals

if TYPE_CHECKING:
    from tests.simulation.people.operators import Operators

DEALS_MS = 800
TARGET_MS = 2_500
AGAIN_MS = 4_000
ROUNDS = 2
"""Maximum number of tournaments of one template that players enter."""
KINDS = tuple(Deal.Kind.values)


class Errands:
    """Requests of players to the room's pages, made through `Operators.later`."""

    def __init__(self, operators: Operators) -> None:
        self.operators = operators
        self.world = operators.world

    def give_tickets(self, wanted: Offered, chance: random.Random) -> None:
        """Give some players a ticket: too high, exact, too low, or about to expire."""
        fields = wanted.target or wanted.fields
        if fields.get("methods", "money") == "money":
            return
        price = sum(fields.get(part, 0) for part in ("buy_in", "fee", "bounty"))
        now = timezone.now()
        owners = list(User.objects.filter(pk__in=self.world.users).order_by("pk"))
        few = chance.choice((0.4, 0.9)) if wanted.target is None else 0.1
        for owner in owners:
            if chance.random() >= few:
                continue
            tickets.issue(
                [owner],
                value=max(1, price + chance.choice((0, 0, 0, 137, -1))),
                scope=ACTIVITY,
                valid_from=now,
                valid_until=now + timedelta(milliseconds=chance.choice((8_000, 86_400_000))),
                source=Ticket.Source.PROMOTION,
                token="welcome",
                exchangeable=chance.random() < 0.3,
            )

    def deal(self, tournament: int) -> None:
        """Let players of the final table propose deals and vote, mostly yes (Y-01..Y-03)."""
        chance = self.world.step_chance
        later = self.operators.later
        if chance.random() < 0.5:
            user, kind = chance.choice(self.world.users), chance.choice(KINDS)
            ask = partial(deals.propose, _user(user), tournament, kind)
            later(chance.randint(1, 300), f"user {user} proposes a deal", ask)
        seats = Entry.objects.filter(tournament=tournament, state=Entry.State.SEATED)
        for deal in Deal.objects.filter(tournament=tournament, state=Deal.State.OPEN):
            for user in seats.order_by("pk").values_list("user_id", flat=True):
                if chance.random() < 0.8:
                    say = partial(
                        deals.vote, _user(user), tournament, deal.pk, yes=chance.random() < 0.85
                    )
                    later(chance.randint(1, 700), f"user {user} votes", say)
        if Tournament.objects.get(pk=tournament).state not in ENDED:
            later(DEALS_MS, self.operators.routine, lambda: self.deal(tournament))

    def go_on(self, target: int) -> None:
        """Let ticket winners enter the target, others buy in, and some exchange their tickets
        (K-06, K-08).
        """
        chance = self.world.step_chance
        row = Tournament.objects.get(pk=target)
        if row.state != State.REGISTERING:
            return
        there = set(Entry.objects.filter(tournament=row).values_list("user", flat=True))
        held = Ticket.objects.filter(state=Ticket.State.VALID).order_by("pk")
        for ticket, user in held.values_list("pk", "owner_id"):
            if user not in there and chance.random() < 0.7:
                self._enters(user, target, "any" if chance.random() < 0.5 else ticket)
            elif chance.random() < 0.1:
                sell = partial(tickets.exchange, _user(user), ticket)
                self.operators.later(chance.randint(1, 900), f"user {user} sells a ticket", sell)
        if chance.random() < 0.1:
            self._enters(chance.choice(self.world.users), target, "")
        self.operators.later(TARGET_MS, self.operators.routine, lambda: self.go_on(target))

    def come_again(self, template: int, wanted: Offered, known: frozenset[int]) -> None:
        """Enter the next tournament of a template as well, until the room opens no more."""
        rows = Tournament.objects.filter(template=template).exclude(pk__in=known)
        for pk in rows.order_by("pk").values_list("pk", flat=True):
            known |= {pk}
            if len(known) <= ROUNDS:
                self.operators.everybody_comes(pk, wanted, self.world.step_chance)
        if len(known) > ROUNDS or self.world.is_calm:
            self.operators.later(1, "template off", self.no_more)
            return
        look = partial(self.come_again, template, wanted, known)
        self.operators.later(AGAIN_MS, self.operators.routine, look)

    def no_more(self) -> None:
        """Switch all templates off as an operator."""
        Template.objects.update(is_active=False)

    def _enters(self, user: int, target: int, ticket: str | int) -> None:
        enter = partial(registration.register, _user(user), target, ticket=ticket)
        self.operators.later(self.world.step_chance.randint(1, 900), f"user {user} goes on", enter)


def _user(pk: int) -> User:
    return User.objects.get(pk=pk)
