"""Statistical tests of dealt decks: the seven of GLI-19 for code, a fixed family for a room."""
