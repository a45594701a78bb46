"""Migrations of conduct."""
