"""Options of an offered tournament, their contradictions, and the creation of tournaments."""
