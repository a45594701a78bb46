"""Whole tournaments in one process under a virtual clock, deterministic by seed; no servers."""
