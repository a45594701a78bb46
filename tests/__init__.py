"""What the room promises, each promise held by a test against real servers."""
