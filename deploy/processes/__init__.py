"""Processes of a room on this machine: the roster, and the supervisor that keeps them alive."""
