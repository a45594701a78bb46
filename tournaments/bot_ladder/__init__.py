"""Ladder of bots: Sit & Gos of several kinds of bots, rated by their places."""
