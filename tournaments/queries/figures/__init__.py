"""Figures of one player: results, counters by game, and meetings with another player."""
