"""Style rules of the code, checked by tests."""
