"""Planted defects, which the laws of a simulated world must find."""
