"""Browser tests of what every page has: notices in its corner."""
