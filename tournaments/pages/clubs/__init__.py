"""Pages of a club's tournaments: its own page, the form of a new one, its templates."""
