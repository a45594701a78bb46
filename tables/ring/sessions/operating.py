"""Operations of the room on ring games, each with its audit row: open, freeze, close, kick."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import User
from config import limits
from tables.models import Table
from tables.ring import notices
from tables.ring.engine.jackpots import check_feeds
from tables.ring.engine.terms import (
    check_action_time,
    check_club_game,
    check_counts,
    check_game,
    check_jackpots,
    check_offer_time,
    check_pool,
    check_ranges,
)
from tables.ring.models import Jackpot, RingGame, RingSession
from tables.ring.refusals import AllTablesOpen, PlayerLeaves
from tables.ring.sessions import audit, leaving, locks, opening

TIMES = (
    *("action_ms", "bank_ms", "disconnect_ms", "sit_out_ms", "rebuy_ms", "return_ms", "offer_ms"),
    *("wait_ms", "hand_pause_ms", "showdown_pause_ms"),
)
"""Times among the terms of a game, in ms."""


USUAL_BUY_IN_BB = (40, 100)
"""Smallest and largest buy-in of a game that sets none, in big blinds."""


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
    check_ranges(
        (game.buy_in_max, game.big_blind, game.ante, game.bring_in, game.small_bet, game.big_bet),
        (getattr(game, name) for name in TIMES),
        amount_most=limits.STACK_MAX_CHIPS,
        time_most_ms=limits.RING_TIME_MAX_MS,
    )
    check_action_time(game.action_ms, least_ms=limits.ACTION_TIME_MIN_MS)
    check_counts(tables=game.tables_max, pool_min=game.pool_min, most=limits.RING_TABLES_MAX)
    if game.rapid:
        check_pool(
            players_min=game.pool_min,
            wait_ms=game.wait_ms,
            wait_most_ms=limits.RAPID_WAIT_MS,
            straddle=game.straddle,
        )
    else:
        check_offer_time(game.offer_ms, least_ms=limits.RING_OFFER_MIN_MS)
    fed = list(jackpots)
    if game.club_id is not None:
        check_club_game(
            rapid=game.rapid,
            jackpots=len(fed),
            entry_level=game.entry_level,
            tables=game.tables_max,
            tables_most=limits.CLUB_RING_TABLES_MAX,
        )
    check_jackpots(game.variant, jackpots=len(fed))
    check_feeds([jackpot.terms.feed for jackpot in fed])


def usual_buy_in(unit: int, least: int | None, most: int | None) -> tuple[int, int]:
    """Return smallest and largest buy-in, those not given by the big blind, in minor units.

    The usual one gives way to a given one that it would contradict.
    """
    few, many = (big_blinds * unit for big_blinds in USUAL_BUY_IN_BB)
    if least is None:
        least = few if most is None else min(few, most)
    return least, max(many, least) if most is None else most


def freeze(by: User | None, game_id: int, reason: str, *, by_room: bool = True) -> RingGame:
    """Deal no more hands at the tables of a game after those in play; without `by` the room's own.

    `by_room` False is a manager of the game's club. Raises NoReason or NoSuchRingGame; a repeated
    request writes no second row.
    """
    return _set_frozen(by, game_id, reason, True, by_room=by_room)


def unfreeze(by: User | None, game_id: int, reason: str) -> RingGame:
    """Deal again at the tables of a frozen game; raises as `freeze`."""
    return _set_frozen(by, game_id, reason, False)


def open_one_more(by: User | None, game_id: int, reason: str) -> Table:
    """Open one more table of a game, up to its most.

    Raises NoReason, NoSuchRingGame or AllTablesOpen; then nothing has changed.
    """
    with transaction.atomic():
        text = audit.checked_reason(reason)
        game = locks.game(game_id)
        rows = Table.objects.filter(director=game.director, game=game.pk, status=Table.Status.OPEN)
        if rows.count() >= game.tables_max:
            raise AllTablesOpen(most=game.tables_max)
        table = opening.open_table(game)
        audit.write(by, "open_table", text, game, table=table.pk)
    return table


def close_after_hand(by: User | None, game_id: int, reason: str) -> RingGame:
    """Close a game: after the hand in play all players leave with their stacks.

    Raises NoReason or NoSuchRingGame; then nothing has changed.
    """
    with transaction.atomic():
        text = audit.checked_reason(reason)
        game = locks.game(game_id)
        game.state = RingGame.State.CLOSING
        game.save(update_fields=["state"])
        waiting = list(game.waiting.order_by("pk").values_list("user", flat=True))
        game.waiting.all().delete()
        audit.write(by, "close", text, game)
        _wake_all(game)
        notices.tell_closing(game, waiting)
    return game


def kick(by: User | None, session_id: int, reason: str) -> RingSession:
    """Let a player leave after the hand, with the stack.

    Raises NoReason, PlayerHasLeft, or PlayerLeaves for a player who leaves anyway.
    """
    with transaction.atomic():
        text = audit.checked_reason(reason)
        session = locks.live_session(session_id)
        if session.leaving:
            raise PlayerLeaves
        leaving.end(session)
        audit.write(by, "kick", text, session.game, session)
    return session


def _set_frozen(
    by: User | None, game_id: int, reason: str, frozen: bool, *, by_room: bool = False
) -> RingGame:
    with transaction.atomic():
        text = audit.checked_reason(reason)
        game = locks.game(game_id)
        # Staff also take over the pause of a club's manager, who cannot end it any more.
        taken_over = by_room and game.club_id is not None and not audit.is_held_by_room(game.pk)
        if game.frozen != frozen or taken_over:
            game.frozen = frozen
            game.save(update_fields=["frozen"])
            details: dict[str, Any] = {audit.BY_ROOM: True} if by_room else {}
            audit.write(by, "freeze" if frozen else "unfreeze", text, game, **details)
            _wake_all(game)
    return game


def _wake_all(game: RingGame) -> None:
    rows = Table.objects.filter(director=game.director, game=game.pk, status=Table.Status.OPEN)
    for table in rows.values_list("pk", flat=True):
        locks.wake_after_commit(table)
