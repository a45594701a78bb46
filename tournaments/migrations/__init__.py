"""Changes of the rows of tournaments over time."""
