"""Seasons: points for places in tournaments, tables of a season, and achievements."""
