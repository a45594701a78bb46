"""Browser tests of clubs and seasons."""
