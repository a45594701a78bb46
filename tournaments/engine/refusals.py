"""A request that the tournament rules refuse, with a code and a sentence for people."""

from __future__ import annotations


class RuleRefusal(Exception):
    """A refusal: `code` for programs, `message` in English for players and admins.

    `item` is the index of the wrong level or break, None where no single one is wrong. `allowed`
    names the accepted values, for the sentence and for programs; its key `field` names the wrong
    option.
    """

    def __init__(
        self, code: str, message: str, *, item: int | None = None, **allowed: object
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.item = item
        self.allowed = allowed
