"""Browser tests of what every page has: the own tables, and notices in its corner."""
