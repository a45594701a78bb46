"""Inputs of people and programs: whole numbers and free texts, checked before use (pure)."""
