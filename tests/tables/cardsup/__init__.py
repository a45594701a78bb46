"""Tests of cards-up streams without a tournament."""
