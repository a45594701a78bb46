"""Research rooms: their mark, and decks from seeds."""
