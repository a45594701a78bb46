"""Pure rules of ring games: seats, buy-ins, blinds owed, rake and jackpots."""
