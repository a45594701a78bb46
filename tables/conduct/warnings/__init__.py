"""Warnings: given with the decision of a case, told to their players, and read by them."""
