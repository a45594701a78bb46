"""Tournaments in the admin: structures, running tournaments, and the records of what happened."""

from tournaments.admin import (
    bounties,
    records,
    rulings,
    structures,
    templates,
    tickets,
    tournaments,
)

__all__ = ["bounties", "records", "rulings", "structures", "templates", "tickets", "tournaments"]
