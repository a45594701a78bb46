"""Tournaments in the admin: structures, running tournaments, and the records of what happened."""

from tournaments.admin import records, structures, tournaments

__all__ = ["records", "structures", "tournaments"]
