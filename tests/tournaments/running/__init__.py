"""Tests of a tournament in play: director, clock tick, rulings, deals and its end."""
