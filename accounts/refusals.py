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
    """Account does not cover the price, or the debt would pass its limit (A-01, A-02).

    All amounts in minor units; `lowest` is the lowest balance allowed.
    """

    code = "insufficient_funds"

    def __init__(self, *, price: int, balance: int, lowest: int = 0) -> None:
        self.price, self.balance, self.lowest = price, balance, lowest
        words = (
            _(
                "This costs %(price)s, but the account holds %(balance)s"
                " and may be overdrawn down to %(lowest)s."
            )
            if lowest < 0
            else _("This costs %(price)s, but the account holds %(balance)s.")
        )
        amounts = {"price": price, "balance": balance, "lowest": lowest}
        super().__init__(words % {name: text(amount) for name, amount in amounts.items()})


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
