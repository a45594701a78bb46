"""Tests of whole tournaments: each format, each game, chips with cash value, hand options."""
