"""Browser tests of the strength and the equity of hands."""
