"""Commands of operators for accounts."""
