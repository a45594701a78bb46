"""Mutants: small changes of the code, each of which named tests must notice."""
