"""The front door: client addresses, room-wide limits, bounded work for pages and log-ins."""
