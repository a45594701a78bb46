"""Commands for whoever operates the tables."""
