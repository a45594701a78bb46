"""Tests of the statistics of dealt decks."""
