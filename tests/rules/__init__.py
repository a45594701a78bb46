"""Rules of the room and the tests that show each of them, read from the tests themselves."""
