"""Retention: kinds of stored data that age, and the one rule of each."""
