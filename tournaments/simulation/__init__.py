"""Simulate whole tournaments in one process under a virtual clock, by seed and without servers."""
