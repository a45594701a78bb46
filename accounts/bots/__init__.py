"""Bot accounts: players of programs, each owned by a user."""
