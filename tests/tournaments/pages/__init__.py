"""Tests of the pages of tournaments."""
