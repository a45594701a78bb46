"""Looks that a visitor or player chooses: theme of all pages; felt, deck and size of tables."""
