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

ROWS_AT_ONCE = 2_000


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
    own = PlayerCounts.objects.filter(user=user)
    of_tournaments = own.filter(director=locks.DIRECTOR)
    prices = {
        pk: sum(parts)
        for pk, *parts in seen.filter(pk__in=of_tournaments.values("game")).values_list(
            "pk", "buy_in", "bounty", "fee"
        )
    }
    games = RingGame.objects.in_bulk(
        list(own.exclude(director=locks.DIRECTOR).values_list("game", flat=True))
    )
    sums: dict[tuple[str, int | None, str], HandCounters] = {}
    key: tuple[str, int | None, str]
    # A row for each tournament of years: no object for each, and few rows at once.
    rows = own.order_by("pk").values_list("director", "game", "variant", *NAMES)
    for director, number, variant, *values in rows.iterator(ROWS_AT_ONCE):
        if director == locks.DIRECTOR:
            if number not in prices:
                continue
            key = variant, prices[number], ""
        else:
            game = games.get(number)
            if game is None or not (private_too or (game.is_listed and not game.password)):
                continue
            key = (variant, None, words.stakes(game))
        add_to(sums, key, HandCounters(*values))
    found = [GameCounts(*key, counters) for key, counters in sums.items()]
    return sorted(found, key=lambda one: -one.counters.hands)


def all_counts(games: Iterable[GameCounts]) -> HandCounters:
    """Return the counters of all games together; `net` of ring games alone, in minor units."""
    total = HandCounters()
    for one in games:
        is_money = bool(one.stakes)
        own = one.counters if is_money else msgspec.structs.replace(one.counters, net=0)
        total = added(total, own)
    return total
