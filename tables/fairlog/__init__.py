"""Public log of sealed decks: its leaves, tiles and signed heads, and the keeper that adds them."""
