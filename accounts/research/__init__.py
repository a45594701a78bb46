"""Mark of a research room: bots alone play there, with decks that follow from seeds."""
