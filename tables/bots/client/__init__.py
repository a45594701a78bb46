"""Client of the room: connection, wire format and the picture of a table."""
