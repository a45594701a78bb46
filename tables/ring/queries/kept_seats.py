"""Seats kept for the waiting list of a ring game: offered ones, and those to be offered (R-01)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from tables.models import Table
from tables.ring.engine.waiting import open_seats
from tables.ring.models import WaitingPlayer

Place = tuple[int | None, int | None]
"""Table and number of a seat; a place in a rapid pool has no table."""


def offers_to_others(user: int | None) -> QuerySet[WaitingPlayer]:
    """Return the offers that hold their seats from a user, lapsed ones included.

    A boundary ends a lapsed offer and makes the next one: until then its seat goes to nobody, also
    not to the player who let it lapse.
    """
    own = Q(user=user, offered_until__gt=timezone.now())
    return WaitingPlayer.objects.filter(offered_table__isnull=False).exclude(own)


def waiting_ahead(games: Collection[int], user: int | None) -> dict[int, list[int | None]]:
    """Return the players who wait before a user and hold no seat yet, as their tables by game.

    The table is None for players who take any; who could not pay at the last boundary is left out.
    Before a user who is not on the list are all of it, before one with an open offer nobody.
    """
    now = timezone.now()
    ahead: dict[int, list[int | None]] = {game: [] for game in games}
    passed: set[int] = set()
    rows = WaitingPlayer.objects.filter(game__in=games).order_by("since", "pk")
    for row in rows:
        if row.user_id == user:
            passed.add(row.game_id)
            if row.offered_until is not None and row.offered_until > now:
                ahead[row.game_id] = []
        elif row.game_id not in passed and row.offered_until is None and not row.passed_over:
            ahead[row.game_id].append(row.table_id)
    return ahead


def held(tables: Iterable[Table], taken: Iterable[Place], user: User | None) -> set[Place]:
    """Return the empty seats of tables that are kept for players who wait before `user` (R-01).

    `tables` are all open ones of their games, `taken` the seats there that have a player. As many
    queries for many games as for one.
    """
    own = None if user is None else user.pk
    by_game: dict[int, dict[int, int]] = {}
    for table in tables:
        by_game.setdefault(table.game, {})[table.pk] = table.seats_max
    offers = offers_to_others(own).filter(game__in=by_game)
    kept: set[Place] = set(offers.values_list("offered_table", "offered_seat"))
    gone = kept | set(taken)
    for game, waiting in waiting_ahead(by_game, own).items():
        if not waiting:
            continue
        empty = {
            table: [seat for seat in range(1, most + 1) if (table, seat) not in gone]
            for table, most in by_game[game].items()
        }
        left = open_seats({table: len(seats) for table, seats in empty.items()}, waiting)
        # Those with the highest numbers stand for all: the next boundary chooses.
        kept |= {(table, seat) for table, seats in empty.items() for seat in seats[left[table] :]}
    return kept
