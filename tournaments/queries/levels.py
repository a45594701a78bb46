"""Levels and breaks of a tournament, as its page lists them."""

from __future__ import annotations

import msgspec

from tables.engine.events import Stakes
from tournaments.engine.structure import Level, stakes_of
from tournaments.models import Tournament


class LevelRow(msgspec.Struct, frozen=True):
    """An item of the structure; `number` is None for a break; times in ms."""

    number: int | None
    stakes: Stakes | None
    lasts_ms: int
    lasts_hands: int
    is_now: bool


def big_blind_pays_all(tournament: Tournament) -> bool:
    """Return whether the tournament has antes and the big blind pays each of them."""
    antes = [item for item in tournament.levels().levels if item.ante]
    return bool(antes) and all(item.ante_kind == "big_blind" for item in antes)


def levels(tournament: Tournament) -> list[LevelRow]:
    """Return levels and breaks in order, the current one marked."""
    rows = []
    number = 0
    for index, item in enumerate(tournament.levels().items):
        is_level = isinstance(item, Level)
        number += is_level
        rows.append(
            LevelRow(
                number=number if is_level else None,
                stakes=stakes_of(item, tournament.limit) if isinstance(item, Level) else None,
                lasts_ms=item.lasts_ms,
                lasts_hands=item.lasts_hands if isinstance(item, Level) else 0,
                is_now=index == tournament.told_index,
            )
        )
    return rows
