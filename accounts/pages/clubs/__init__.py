"""Pages of clubs, made for phones first."""
