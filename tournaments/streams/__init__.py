"""Streams of tournaments: snapshots, and changes told to the lobby."""
