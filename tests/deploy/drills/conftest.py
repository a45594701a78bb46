"""Fixtures of the drills' tests: the real servers of a room, as in the tournaments' tests."""

from __future__ import annotations

from tests.tournaments.conftest import house

__all__ = ["house"]
