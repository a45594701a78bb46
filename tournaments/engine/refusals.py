"""A request that the tournament rules turn down, with a code and a sentence for people."""

from __future__ import annotations


class Refusal(Exception):
    """Turned down: `code` for programs, `message` in English for players and admins."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
