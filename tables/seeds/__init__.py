"""Seeds of the games of a research room, from which all of their decks follow."""
