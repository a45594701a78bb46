"""How a bot decides: what it sees, how strong its hand is, how long it thinks."""
