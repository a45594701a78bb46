"""Simulated ring games: the rules of the live room, played by bots under a virtual clock."""
