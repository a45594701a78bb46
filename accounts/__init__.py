"""Users, their sessions and the money ledger."""
