"""Pages of tables and of finished hands."""
