"""Tests of the cards-up streams of tournaments."""
