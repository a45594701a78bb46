"""Admin of ring games: games, rake tables, jackpots, sessions and penalties."""

from tables.ring.admin import games, jackpots, penalties, rake, sessions

__all__ = ["games", "jackpots", "penalties", "rake", "sessions"]
