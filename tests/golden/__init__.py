"""Hands written down so that a card player can check them."""
