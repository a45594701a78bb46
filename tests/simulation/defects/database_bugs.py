"""Planted defects of the trust in a PostgreSQL that comes back."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from tables.workers import database_losses


def believed_though_behind() -> AbstractContextManager[Any]:
    """Adopt any run of PostgreSQL, whatever it lacks."""
    return patch.object(database_losses, "signs", lambda *_: iter(()))


def numbers_reused_after_a_loss() -> AbstractContextManager[Any]:
    """Accept a loss without raising the numbers of events above those that were told."""
    return patch.object(database_losses, "_raisings", [])
