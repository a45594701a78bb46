"""Chat of players and spectators: rules of a text, stored messages, moderation."""
