"""Columns of the options of a tournament, one file for each group: abstract models."""
