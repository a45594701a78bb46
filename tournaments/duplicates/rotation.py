"""Rotation of players over seats, and their mean places over the games of a set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Player = TypeVar("Player")


def rotated(players: Sequence[Player], shift: int) -> list[Player]:
    """Return the players of the seats in their order, `shift` seats on; 0 leaves them."""
    return [*players[shift:], *players[:shift]]


def mean_places(games: Iterable[Mapping[Player, int]]) -> dict[Player, float]:
    """Return the mean place of each player over the games of a set, which all of them play."""
    places: dict[Player, list[int]] = defaultdict(list)
    for game in games:
        for player, place in game.items():
            places[player].append(place)
    return {player: sum(taken) / len(taken) for player, taken in places.items()}
