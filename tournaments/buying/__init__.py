"""Buying in a running tournament: offers, and the end of each kind of sale."""
