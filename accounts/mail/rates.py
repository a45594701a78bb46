"""Limits of mails that visitors ask for: by user, by the address it goes to, by the visitor's."""

from __future__ import annotations

import math

from accounts.mail import outgoing
from accounts.names import fold
from config import limits
from config.door.rates import Rate
from config.door.source import UNKNOWN
from config.refusals import Refusal
from config.refusals import marked as _

BY_USER = Rate("mail-user", limits.FORGOTTEN_TRIES_USER, limits.FORGOTTEN_TRIES_USER_PER_MIN)
BY_SOURCE = Rate(
    "mail-address", limits.FORGOTTEN_TRIES_ADDRESS, limits.FORGOTTEN_TRIES_ADDRESS_PER_MIN
)


class TooMuchMail(Refusal):
    """Refusal of a mail asked for above the rate limit; `wait_min` until the next one."""

    code = "too_much_mail"
    sentence = _("Too many mails were asked for. Try again in %(wait_min)s minutes.")

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_min=math.ceil(wait_s / 60))


class NoMail(Refusal):
    """Refusal of mail in a room that sends none."""

    code = "no_mail"
    sentence = _("This room sends no mail. Ask an operator.")


def take_tries(subject: str, source: str, to: str = "") -> None:
    """Count a mail for its subject, the visitor's address, and the one that it goes `to`.

    Raises NoMail or TooMuchMail.
    """
    if not outgoing.is_on():
        raise NoMail
    waits = [BY_USER.take(subject)]
    if to:
        waits.append(BY_USER.take(f"to:{fold(to)}"))
    if source and source != UNKNOWN:
        waits.append(BY_SOURCE.take(source))
    if wait_s := max(waits):
        raise TooMuchMail(wait_s)
