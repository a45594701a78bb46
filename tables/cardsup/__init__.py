"""Cards-up streams: settled hands told again with their cards, after a delay the room holds."""
