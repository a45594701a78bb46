"""Bots: ordinary clients of the room that see only what a player sees."""
