"""Histories of clients: honest ones are found sound, planted defects are found."""
