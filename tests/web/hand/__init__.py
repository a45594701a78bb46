"""Browser tests of the replay of a finished hand."""
