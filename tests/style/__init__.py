"""How the code reads, held by tests."""
