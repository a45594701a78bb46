"""Tests of conduct: figures, signs, counting, cases and reports."""
