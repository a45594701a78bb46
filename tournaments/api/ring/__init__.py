"""Routes of ring games: the lobby, seats, waiting lists and choices, for programs and scripts."""
