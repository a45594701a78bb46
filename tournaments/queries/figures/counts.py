"""Counters of a player by game and stake, from the rows that settled hands have added up."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from django.db.models import QuerySet

from accounts.models import User
from config.sums import add_to, added
from tables.ring.models import RingGame
from tables.ring.queries import words
from tables.statistics.counters import NAMES, HandCounters
from tables.statistics.models import PlayerCounts
from tournaments import locks
from tournaments.models import Tournament


class GameCounts(msgspec.Struct, frozen=True):
    """Counters of one variant at one stake; `price` of tournaments in minor units.

    `stakes` are those of a ring game in words, "" for tournaments.
    """

    variant: str
    price: int | None
    stakes: str
    counters: HandCounters


def counts_by_game(
    user: User, seen: QuerySet[Tournament], *, private_too: bool
) -> list[GameCounts]:
    """Return a player's counters by game and stake, most hands first.

    Tournaments count that are among `seen`; ring games that are private or for members of a
    club only `private_too`.
    """
    rows = list(PlayerCounts.objects.filter(user=user).order_by("pk"))
    of_tournaments = [row for row in rows if row.director == locks.DIRECTOR]
    prices = {
        row.pk: row.price
        for row in seen.filter(pk__in=[row.game for row in of_tournaments]).only(
            "buy_in", "bounty", "fee"
        )
    }
    games = RingGame.objects.in_bulk([row.game for row in rows if row.director != locks.DIRECTOR])
    sums: dict[tuple[str, int | None, str], HandCounters] = {}
    key: tuple[str, int | None, str]
    for row in rows:
        counters = HandCounters(*(getattr(row, name) for name in NAMES))
        if row.director == locks.DIRECTOR:
            if row.game not in prices:
                continue
            key = row.variant, prices[row.game], ""
        else:
            game = games.get(row.game)
            if game is None or not (private_too or (game.is_listed and not game.password)):
                continue
            key = (row.variant, None, words.stakes(game))
        add_to(sums, key, counters)
    found = [GameCounts(*key, counters) for key, counters in sums.items()]
    return sorted(found, key=lambda one: -one.counters.hands)


def all_counts(games: Iterable[GameCounts]) -> HandCounters:
    """Return the counters of all games together."""
    total = HandCounters()
    for one in games:
        total = added(total, one.counters)
    return total
