"""Migrations of cards-up streams."""
