"""Process level of the room: system limits, garbage collection, broker reconnection."""
