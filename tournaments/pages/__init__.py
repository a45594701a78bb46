"""Pages of tournaments: views and the values they read."""
