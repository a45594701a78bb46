"""Operator commands of the house."""
