"""Output to the operator's terminal: lines that stay, and one status line."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

_CLEAR_LINE = "\r\x1b[2K"


class Terminal:
    """Printer to `out`; the status line is rewritten in place when `out` is a terminal."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self.live = out.isatty()
        self._status = ""

    def say(self, text: str) -> None:
        """Print a line that stays."""
        if self.live and self._status:
            self._out.write(_CLEAR_LINE)
        self._out.write(f"{text}\n")
        self._show()

    def status(self, text: str) -> None:
        """Print the newest status; on a plain stream only when it changed."""
        if not self.live:
            if text != self._status:
                self._out.write(f"{text}\n")
            self._status = text
            self._out.flush()
            return
        self._status = text
        self._show()

    def _show(self) -> None:
        if self.live and self._status:
            width = shutil.get_terminal_size().columns - 1
            self._out.write(_CLEAR_LINE + self._status[:width])
        self._out.flush()
