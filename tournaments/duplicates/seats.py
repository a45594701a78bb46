"""Seats of the bots in a game of a duplicate set."""

from __future__ import annotations

from tournaments.duplicates.models import DuplicateGame
from tournaments.duplicates.rotation import rotated


def given_seats(tournament: int) -> dict[int, int]:
    """Return user -> seat of a duplicate game; nothing where seats are drawn by lot."""
    game = DuplicateGame.objects.select_related("duplicates").filter(tournament=tournament).first()
    if game is None:
        return {}
    users = rotated(game.duplicates.users, game.shift)
    return dict(zip(users, game.duplicates.seats, strict=True))
