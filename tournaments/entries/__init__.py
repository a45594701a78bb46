"""Entering a tournament: registration, late registration, private tournaments."""
