"""Template tags for the stakes of a game."""
