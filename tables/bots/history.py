"""Writes down what a bot sent and was told, so that afterwards it can be checked from outside."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from tables.bots.client import history_rows


class History:
    """The file of one client; every line is with the system before anything follows from it."""

    def __init__(self, folder: Path, user: int, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{quote(name, safe='')}.jsonl"
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(self._file, history_rows.begin(user, name))

    def sent(self, at_s: float, text: str) -> None:
        """A message is about to be sent."""
        os.write(self._file, history_rows.sent(at_s, text))

    def got(self, at_s: float, text: str | bytes) -> None:
        """A message came."""
        os.write(self._file, history_rows.got(at_s, text))
