"""Refusals of requests, each with a code and a sentence for the player."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.money import text


class AccountRefusal(Exception):
    """Refused request; nothing has changed."""

    code: str

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InsufficientFunds(AccountRefusal):
    """Account does not cover the price (A-01); both in minor units."""

    code = "insufficient_funds"

    def __init__(self, *, price: int, balance: int) -> None:
        self.price, self.balance = price, balance
        super().__init__(
            _("This costs %(price)s, but the account holds %(balance)s.")
            % {"price": text(price), "balance": text(balance)}
        )


class AmountRefused(AccountRefusal):
    """Amount of money that is not positive, not whole or too large to book."""

    code = "amount_refused"

    def __init__(self, *, largest: int) -> None:
        super().__init__(
            _("The amount must be more than zero and at most %(largest)s.")
            % {"largest": text(largest)}
        )


class BalanceFull(AccountRefusal):
    """Credit that would lift an account above its maximum."""

    code = "balance_full"

    def __init__(self) -> None:
        super().__init__(_("The account cannot hold that much money."))


class SignUpRefused(AccountRefusal):
    """New player breaks a rule for names, passwords or languages; `field` names the form field."""

    def __init__(self, code: str, field: str, message: str) -> None:
        self.code, self.field = code, field
        super().__init__(message)
