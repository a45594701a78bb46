"""Tests of refused requests at ring tables: a sentence in words, and every row as it was."""
