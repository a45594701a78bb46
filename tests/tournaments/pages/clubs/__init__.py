"""Tests of the pages of clubs with their tournaments."""
