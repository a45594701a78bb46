"""Jackpot pools as pages show them, and the wins that were told (J-01..J-03)."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.utils import timezone

from accounts.models import Account, AccountKind
from tables.dealer.director import may_see
from tables.ring.models import Jackpot, JackpotWin, RingGame


class JackpotPool(msgspec.Struct, frozen=True):
    """A jackpot with its pool in minor units."""

    kind: str
    name: str
    pool: int


class JackpotPayout(msgspec.Struct, frozen=True):
    """A payment of a jackpot that fell, in minor units; without the player where the game is not
    the reader's to see.
    """

    at: datetime
    name: str
    player: str | None
    amount: int
    table: int
    table_number: int
    hand: int


def pools(game: RingGame | None = None) -> list[JackpotPool]:
    """Return the enabled jackpots with their pools, of one game or of all."""
    enabled = Jackpot.objects.filter(enabled=True).order_by("kind")
    if game is not None:
        if not game.has_jackpots:
            return []
        enabled = enabled.filter(pk__in=game.jackpots.all())
    names = {jackpot.kind: str(jackpot) for jackpot in enabled}
    return [JackpotPool(kind, name, pool(kind)) for kind, name in names.items()]


def pool(kind: str) -> int:
    """Return the pool of a kind of jackpot in minor units."""
    found = Account.objects.filter(kind=AccountKind.JACKPOT, ref=kind).first()
    return 0 if found is None else found.balance


def payments(most: int, reader: int | None) -> list[JackpotPayout]:
    """Return the last payments to players as a user or a visitor sees them, newest first; none
    before its hand was told.
    """
    wins = (
        JackpotWin.objects.filter(released_at__lte=timezone.now())
        .select_related("jackpot", "hand__table")
        .defer("hand__record", "hand__table__grant")
        .order_by("-released_at", "-pk")[:most]
    )
    seen = {game: may_see(*game, reader) for game in set(map(_game, wins))}
    return [
        JackpotPayout(
            win.released_at,
            str(win.jackpot),
            win.name if win.user_id == reader or seen[_game(win)] else None,
            win.amount,
            win.hand.table_id,
            win.hand.table.number,
            win.hand.number,
        )
        for win in wins
    ]


def _game(win: JackpotWin) -> tuple[str, int]:
    """Return the director and the number of the game in which a jackpot was won."""
    return win.hand.table.director, win.hand.table.game
