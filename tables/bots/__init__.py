"""Bots: ordinary clients of the room that know no more than a player sees."""
