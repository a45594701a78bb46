"""Tests of players' statistics."""
