"""Pages of ladders of bots: their tables, the course of a bot, and both as CSV files."""
