"""What clients sent and were told, written down, and the proof that it fits together."""
