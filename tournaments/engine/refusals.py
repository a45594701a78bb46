"""A request that the tournament rules turn down, with a code and a sentence for people."""

from __future__ import annotations


class Refusal(Exception):
    """Turned down: `code` for programs, `message` in English for players and admins.

    `item` is the index of the level or break that is wrong, None where no single one is.
    `allowed` names what would have been accepted, for the sentence and for programs; `field`
    among it is the option that is wrong.
    """

    def __init__(
        self, code: str, message: str, *, item: int | None = None, **allowed: object
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.item = item
        self.allowed = allowed
