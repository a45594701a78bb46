"""Who plays here and what they own: users, sessions and the money ledger."""
