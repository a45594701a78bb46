"""Users: names, sign-up, passwords, sessions, newcomers and bots."""
