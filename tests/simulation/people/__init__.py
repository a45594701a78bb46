"""Players, spectators and operators of a simulated world."""
