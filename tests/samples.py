"""Sizes of the tests that repeat one thing: a short sample in `make test`, all in `make long`."""

from __future__ import annotations

import os

LONG = "LONG_TESTS" in os.environ


def size(short: int, whole: int) -> int:
    """Return how often a test repeats what it does."""
    return whole if LONG else short
