"""Seats of users in ring games, and the names of games and tables on statements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.urls import NoReverseMatch, reverse

from accounts.ledger.references import Reference
from accounts.models import User
from config import limits
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.money import DIRECTOR, DIRECTORS


def sits_in(game: int, user: int) -> bool:
    """Return whether a user has a seat in a game, so that its cards stay hidden from the user."""
    live = RingSession.objects.filter(game=game, user=user)
    return live.exclude(state=RingSession.State.LEFT).exists()


def references(tables: Collection[int]) -> Mapping[int, Reference]:
    """Return the names and pages of ring tables by key."""
    rows = Table.objects.filter(pk__in=tables, director__in=DIRECTORS).values_list("pk", "game")
    games = dict(rows)
    names = dict(RingGame.objects.filter(pk__in=games.values()).values_list("pk", "name"))
    return {table: Reference(names.get(game, ""), _page(game)) for table, game in games.items()}


def pool_references(games: Collection[int]) -> Mapping[int, Reference]:
    """Return the names and pages of rapid pools by key."""
    names = RingGame.objects.filter(pk__in=games).values_list("pk", "name")
    return {game: Reference(name, _page(game)) for game, name in names}


def _page(game: int) -> str:
    try:
        return reverse(DIRECTOR, args=[game])
    except NoReverseMatch:
        return ""


def exported_sessions(user: User) -> Iterable[Mapping[str, Any]]:
    """Return the rows of a player's sessions for the export of the account, newest first."""
    columns = ("game__name", "state", "bought", "left_with", "hands", "rake_paid")
    rows = RingSession.objects.filter(user=user).order_by("-pk")
    found: Iterable[Mapping[str, Any]] = rows.values(*columns, "began_at", "ended_at")[
        : limits.EXPORTED_ROWS_MAX
    ]
    return found
