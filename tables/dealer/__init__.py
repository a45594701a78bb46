"""Pure functions of a table around its hands: turns, clock, commands, run-out, boundary."""
