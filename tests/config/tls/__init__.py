"""Connections of the room over TLS, and the certificates of their test."""
