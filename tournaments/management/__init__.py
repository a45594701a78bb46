"""Commands for whoever operates tournaments."""
