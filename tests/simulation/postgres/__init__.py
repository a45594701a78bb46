"""PostgreSQL of the world: copies of its rows, its runs, and the gate before it."""
