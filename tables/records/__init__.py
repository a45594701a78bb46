"""Records of finished hands in PostgreSQL: what all saw in plain, folded cards in boxes."""
