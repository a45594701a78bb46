"""Everything that starts, measures or harms a room, and its deployment on machines."""
