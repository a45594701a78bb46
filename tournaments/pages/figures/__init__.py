"""Pages of a player's figures: the own statistics, and the profile of another player."""
