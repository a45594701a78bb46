"""Marking of a room as a research room, and of its games with seeds."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from django.db import connection, transaction

from accounts.models import User
from accounts.research.mark import is_marked, told
from accounts.research.models import ResearchMark
from accounts.research.refusals import MarkedAlready, PeopleHere
from config import entropy
from tables.models import Table
from tables.seeds.models import GameSeed
from tables.seeds.refusals import NoSuchGame, NotResearch, SeedGiven, TablesHere, WrongSeed

SEED_MAX = 2**63 - 1


@cache
def deals_by_seed() -> bool:
    """Return whether this room deals from seeds; read once in a process.

    Ask only for a table that exists: a room is marked before its first table or never, so the
    first answer is the last one.
    """
    return is_marked()


def mark_room() -> None:
    """Mark this room as a research room, for good; raises ResearchRefusal.

    A room with an account of a person is refused, staff excepted, and so is one that has opened a
    table: a process that has read of no mark for a table would deal on without one.
    """
    with transaction.atomic():
        # 1. Nobody signs up and no table opens until the mark is committed.
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE accounts_user, tables_table IN SHARE ROW EXCLUSIVE MODE")
        # 2. Compare, then mark.
        if is_marked():
            raise MarkedAlready
        if people := User.objects.filter(is_bot=False, is_staff=False).count():
            raise PeopleHere(people=people)
        if Table.objects.exists():
            raise TablesHere
        ResearchMark.objects.create()
    told.know(True)


def read_seed(text: str) -> int:
    """Return the seed that a text names; raises WrongSeed."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 19 and int(text) <= SEED_MAX):
        raise WrongSeed(most=SEED_MAX)
    return int(text)


def give_seed(director: str, game: int, seed: int) -> GameSeed:
    """Give a game its seed before its first table opens; the same seed again changes nothing.

    Raises ResearchRefusal.
    """
    if not 0 <= seed <= SEED_MAX:
        raise WrongSeed(most=SEED_MAX)
    if not is_marked():
        raise NotResearch
    with transaction.atomic():
        given, is_new = GameSeed.objects.get_or_create(
            director=director, game=game, defaults={"seed": seed}
        )
        if given.seed != seed:
            raise SeedGiven
        if is_new and Table.objects.filter(director=director, game=game).exists():
            raise NoSuchGame
    return given


def seeds_of(director: str, games: Collection[int]) -> dict[int, int]:
    """Return the seeds of games by game; operators and data sets of finished games may know."""
    rows = GameSeed.objects.filter(director=director, game__in=games)
    return dict(rows.values_list("game", "seed"))


def seed_of_table(table: int) -> int:
    """Return the seed of a table's game in a research room; draw and keep one if it has none."""
    director, game = Table.objects.values_list("director", "game").get(pk=table)
    fresh = entropy.system().randrange(SEED_MAX + 1)
    GameSeed.objects.bulk_create(
        [GameSeed(director=director, game=game, seed=fresh)], ignore_conflicts=True
    )
    return GameSeed.objects.values_list("seed", flat=True).get(director=director, game=game)
