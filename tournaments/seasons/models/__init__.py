"""Stored rows of seasons."""

from tournaments.seasons.models.achievement import Achievement
from tournaments.seasons.models.season import Season

__all__ = ["Achievement", "Season"]
