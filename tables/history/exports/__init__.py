"""Finished hands in formats of other programs, as one viewer was shown them."""
