"""Tests of tables in Redis: fences, ready set, tampering."""
