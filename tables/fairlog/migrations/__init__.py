"""Migrations of the log of sealed decks."""
