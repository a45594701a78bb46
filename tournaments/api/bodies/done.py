"""Answer to a request that changed something and made nothing new."""

from __future__ import annotations

from ninja import Schema

from accounts.ledger.transfers import held_by
from accounts.models import User


class DoneAnswer(Schema):
    """Change that was carried out: a code, a sentence for people, the user's balance."""

    code: str
    message: str
    balance: int


def done(user: User, code: str, message: object = "") -> DoneAnswer:
    """Return the answer; the sentence is in the language of the request."""
    return DoneAnswer(code=code, message=str(message), balance=held_by(user))
