"""Browser journeys through ring games."""
