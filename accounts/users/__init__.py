"""Users: sign-up, passwords and other proofs, tokens, own limits, newcomers and bots."""
