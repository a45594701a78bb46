"""Pages of tournaments, one folder for views and what they read."""
