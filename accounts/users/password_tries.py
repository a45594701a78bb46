"""Limits of tries of the passwords of private games, by user and by address (T-02)."""

from __future__ import annotations

import math

from config import limits
from config.door.rates import Rate
from config.door.source import UNKNOWN
from config.refusals import Refusal
from config.refusals import marked as _

TRIES = (
    Rate("password-user", limits.PRIVATE_TRIES_USER, limits.PRIVATE_TRIES_USER_PER_MIN),
    Rate("password-address", limits.PRIVATE_TRIES_ADDRESS, limits.PRIVATE_TRIES_ADDRESS_PER_MIN),
)
"""Rate limits of password attempts by user and by address, over all games."""


class TooManyTries(Refusal):
    """Refusal of a password attempt above the rate limit; `wait_s` until the next one (T-02)."""

    code = "too_many_tries"
    sentence = _("Too many passwords were tried. Try again in %(wait_s)s seconds.")

    def __init__(self, wait_s: int) -> None:
        super().__init__(wait_s=wait_s)


def count_try(user: int, address: str) -> None:
    """Count an attempt before it is hashed; an empty or unknown address is not counted.

    Raises TooManyTries.
    """
    subjects = (str(user), "" if address == UNKNOWN else address)
    waits = [rate.take(subject) for rate, subject in zip(TRIES, subjects, strict=True) if subject]
    if wait_s := max(waits):
        raise TooManyTries(math.ceil(wait_s))
