"""Operations of the room on ring games: open, freeze, close, remove a player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from tables.models import Table
from tables.ring.engine.jackpots import check_feeds
from tables.ring.engine.terms import check_game
from tables.ring.models import Jackpot, RingGame, RingSession
from tables.ring.money import DIRECTOR
from tables.ring.refusals import NotAtTable
from tables.ring.sessions import locks, opening


def open_game(*, password: str = "", jackpots: tuple[str, ...] = (), **terms: Any) -> RingGame:
    """Open a ring game with its fewest tables; `jackpots` are kinds, `terms` its fields.

    Raises Refusal for terms that contradict each other; then nothing is written.
    """
    game = RingGame(password=make_password(password) if password else "", **terms)
    chosen = list(Jackpot.objects.filter(kind__in=jackpots))
    check_terms(game, chosen)
    with transaction.atomic():
        game.save()
        game.jackpots.set(chosen)
        opening.open_missing(game)
    return game


def check_terms(game: RingGame, jackpots: Iterable[Jackpot] = ()) -> None:
    """Refuse a game whose fields and jackpots contradict each other; raises Refusal."""
    check_game(
        game.variant,
        game.limit,
        game.stakes,
        seats=game.seats_max,
        buy_in=(game.buy_in_min, game.buy_in_max),
        tables=(game.tables_min, game.tables_max),
        straddle=game.straddle,
    )
    check_feeds([jackpot.terms.feed for jackpot in jackpots])


def freeze(game_id: int, on: bool) -> RingGame:
    """Deal no more hands at the tables of a game after those in play, or go on."""
    with transaction.atomic():
        game = locks.game(game_id)
        game.frozen = on
        game.save(update_fields=["frozen"])
        _wake_all(game)
    return game


def close_after_hand(game_id: int) -> RingGame:
    """Close a game: after the hand in play all players leave with their stacks."""
    with transaction.atomic():
        game = locks.game(game_id)
        game.state = RingGame.State.CLOSING
        game.save(update_fields=["state"])
        game.waiting.all().delete()
        _wake_all(game)
    return game


def kick(session_id: int) -> RingSession:
    """Let a player leave after the hand, with the stack."""
    with transaction.atomic():
        known = RingSession.objects.select_related("user").filter(pk=session_id).first()
        if known is None:
            raise NotAtTable
        session = locks.session(known.user, session_id)
        session.leaving = True
        session.save(update_fields=["leaving"])
    return session


def _wake_all(game: RingGame) -> None:
    rows = Table.objects.filter(director=DIRECTOR, game=game.pk, status=Table.Status.OPEN)
    for table in rows.values_list("pk", flat=True):
        locks.wake_after_commit(table)
