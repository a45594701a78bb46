"""Migrations of overlays."""
