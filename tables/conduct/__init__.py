"""Conduct of players: counters of settled hands, signs of unfair play, cases and reports."""
