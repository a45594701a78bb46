"""Logs of clients, sent and received messages, and the proof that they fit together."""
