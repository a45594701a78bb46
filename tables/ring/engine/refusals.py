"""Refusals of the ring rules, with a code, a sentence and the values that would be accepted."""

from __future__ import annotations


class RingRuleRefusal(Exception):
    """A refused request: `code` for programs, `message` in English, nothing has changed.

    `allowed` names the accepted values in minor units, for the sentence and for programs.
    """

    def __init__(self, code: str, message: str, **allowed: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.allowed = allowed
