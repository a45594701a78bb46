"""Failure of a stored file that should be there."""

from __future__ import annotations


class FileAway(Exception):
    """A stored file that a row names cannot be read: missing, cut, changed, or none can be."""
