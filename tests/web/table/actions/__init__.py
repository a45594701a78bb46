"""Browser tests of the action panel."""
