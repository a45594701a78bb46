"""Migrations of the chat."""
