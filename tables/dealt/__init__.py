"""Cards that each player was dealt, counted by day, and the honest tests that the player reads."""
