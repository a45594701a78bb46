"""Browser tests of the page of a table."""
