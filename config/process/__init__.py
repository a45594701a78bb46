"""A process of the room: its limits of the system, its garbage, its way back to the broker."""
