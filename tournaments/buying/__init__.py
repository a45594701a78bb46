"""Buying in a running tournament: offers, and until when anything is sold."""
