"""Everything that starts, measures or harms a room, and what puts one on machines."""
