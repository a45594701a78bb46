"""Preparation of a room: database roles, tables, translations, static files."""
