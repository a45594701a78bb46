"""Browser tests of the pages of tournaments and of organisers."""
