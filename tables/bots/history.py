"""Log of a bot's messages, so that its play can be checked from outside afterwards."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from tables.bots.client import history_rows


class History:
    """File of one client; each line is handed to the system before the message has any effect."""

    def __init__(self, folder: Path, user: int, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{quote(name, safe='')}.jsonl"
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(self._file, history_rows.begin(user, name))

    def sent(self, at_s: float, text: str) -> None:
        """Log a message that is about to be sent."""
        os.write(self._file, history_rows.sent(at_s, text))

    def got(self, at_s: float, text: str | bytes) -> None:
        """Log a message that arrived."""
        os.write(self._file, history_rows.got(at_s, text))
