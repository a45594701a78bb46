"""Management commands for the operators of tables."""
