"""Drill of a base backup and archived WAL: back to a second, with every commit before it."""
