"""Hands played elsewhere, replayed through the engine as proof of it."""
