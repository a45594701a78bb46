"""Front door of the web process: client addresses, room-wide limits, bounded page work."""
