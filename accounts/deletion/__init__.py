"""Deletion of an account by its owner: obstacles, erased rows, and the anonymous name."""
