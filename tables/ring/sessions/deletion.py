"""Part of an account that ring games hold: seats, places in pools and waiting lists, names."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from accounts.models import User
from config.refusals import Refusal
from tables.ring.models import JackpotWin, RapidStay, RingSession, WaitingPlayer
from tables.ring.models.session import LIVE
from tables.ring.refusals import SeatedStill, WaitingStill


def obstacles(user: User) -> Iterator[Refusal]:
    """Yield refusals that name the games where a player has chips, and those waited for.

    A hand that a player of a pool folded before leaving still pays jackpots, or becomes void.
    """
    folded = RapidStay.objects.filter(session__user=user, ended=False).values("session")
    held = Q(state__in=LIVE) | Q(pk__in=folded)
    seated = RingSession.objects.filter(held, user=user).order_by("game")
    if games := dict.fromkeys(seated.values_list("game__name", flat=True)):
        yield SeatedStill(list(games))
    waiting = WaitingPlayer.objects.filter(user=user).order_by("game")
    if games := dict.fromkeys(waiting.values_list("game__name", flat=True)):
        yield WaitingStill(list(games))


def erase(user: User) -> None:
    """Give a user's ended sessions and jackpots the anonymous name."""
    RingSession.objects.filter(user=user).update(name=user.name)
    JackpotWin.objects.filter(user=user).update(name=user.name)
