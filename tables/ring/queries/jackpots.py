"""Jackpot pools as pages show them, and the wins that were told (J-01..J-03)."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.utils import timezone

from accounts.models import Account, AccountKind
from tables.ring.models import Jackpot, JackpotWin, RingGame


class JackpotPool(msgspec.Struct, frozen=True):
    """A jackpot with its pool in minor units."""

    kind: str
    name: str
    pool: int


class JackpotPayout(msgspec.Struct, frozen=True):
    """A payment of a jackpot that fell, in minor units."""

    at: datetime
    name: str
    player: str
    amount: int
    table: int
    table_number: int
    hand: int


def pools(game: RingGame | None = None) -> list[JackpotPool]:
    """Return the enabled jackpots with their pools, of one game or of all."""
    enabled = Jackpot.objects.filter(enabled=True).order_by("kind")
    if game is not None:
        enabled = enabled.filter(pk__in=game.jackpots.all())
    names = {jackpot.kind: str(jackpot) for jackpot in enabled}
    return [JackpotPool(kind, name, pool(kind)) for kind, name in names.items()]


def pool(kind: str) -> int:
    """Return the pool of a kind of jackpot in minor units."""
    found = Account.objects.filter(kind=AccountKind.JACKPOT, ref=kind).first()
    return 0 if found is None else found.balance


def payments(most: int) -> list[JackpotPayout]:
    """Return the last payments to players, newest first; none before its hand was told."""
    wins = (
        JackpotWin.objects.filter(released_at__lte=timezone.now())
        .select_related("jackpot", "hand__table")
        .order_by("-released_at", "-pk")[:most]
    )
    return [
        JackpotPayout(
            win.released_at,
            str(win.jackpot),
            win.name,
            win.amount,
            win.hand.table_id,
            win.hand.table.number,
            win.hand.number,
        )
        for win in wins
    ]
