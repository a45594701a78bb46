"""Admin of tournaments: structures, running tournaments, and their records."""

from tournaments.admin import (
    bounties,
    records,
    rulings,
    structures,
    templates,
    tickets,
    tournaments,
    webhooks,
)

__all__ = [
    "bounties",
    "records",
    "rulings",
    "structures",
    "templates",
    "tickets",
    "tournaments",
    "webhooks",
]
