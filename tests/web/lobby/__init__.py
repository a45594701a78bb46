"""Browser tests of the lobby and of ladders."""
