"""Hands in a notation that a card player can check."""
