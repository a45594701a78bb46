"""Admin of tournaments: structures, running tournaments, and their records."""

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
