"""Admin of ring games: games, rake tables, jackpots and sessions."""

from tables.ring.admin import games, jackpots, rake, sessions

__all__ = ["games", "jackpots", "rake", "sessions"]
