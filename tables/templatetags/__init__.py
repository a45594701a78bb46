"""Template tags for cards and stakes."""
