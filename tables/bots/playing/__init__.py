"""Decisions of a bot: sight of the table, strength of a hand, time to think."""
