"""Rules of the room, their live functions and the tests that show them, read from the code."""
