"""Stored files of all apps: folders by name, and the removal of files that no row names."""
