"""Hands that were played elsewhere, replayed through the engine as proof of it."""
