"""Tests of the log of sealed decks."""
