"""Statistics of players: counters of each settled hand, added up by game."""
