"""Backup of a whole room and its restore into an empty one: database, key files, stored files."""
