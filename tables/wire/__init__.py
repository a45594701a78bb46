"""Messages between clients and the room, one struct each."""
