"""Refusals by accounts, and the sentence of any refusal in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext

from accounts.money import text
from config.refusals import Refusal, filled
from config.refusals import marked as _


class InsufficientFunds(Refusal):
    """Account does not cover the price, or the debt would pass its limit (A-01, A-02).

    All amounts in minor units; `lowest` is the lowest balance allowed.
    """

    code = "insufficient_funds"
    sentence = _("This costs %(price)s, but the account holds %(balance)s.")
    money = frozenset({"price", "balance", "lowest"})

    def __init__(self, *, price: int, balance: int, lowest: int = 0) -> None:
        self.balance = balance
        overdrawn = _(
            "This costs %(price)s, but the account holds %(balance)s"
            " and may be overdrawn down to %(lowest)s."
        )
        super().__init__(
            overdrawn if lowest < 0 else "", price=price, balance=balance, lowest=lowest
        )


class AmountRefused(Refusal):
    """Amount of money that is not positive, not whole or too large to book."""

    code = "amount_refused"
    sentence = _("The amount must be more than zero and at most %(largest)s.")
    money = frozenset({"largest"})

    def __init__(self, *, largest: int) -> None:
        super().__init__(largest=largest)


class SentBefore(Refusal):
    """Form whose token has booked another amount: its page is older than that booking."""

    code = "sent_before"
    sentence = _("This form was sent before with another amount. Load the page again.")


class BalanceFull(Refusal):
    """Credit that would lift an account above its maximum."""

    code = "balance_full"
    sentence = _("The account cannot hold that much money.")


class AccountDeleted(Refusal):
    """Refusal of a purchase, or of a credit, for an account that its owner deleted."""

    code = "account_deleted"
    sentence = _("This account is deleted.")


class AddressNeeded(Refusal):
    """Entry or buy-in without a confirmed e-mail address, where the room asks for one."""

    code = "address_needed"
    sentence = _(
        "Only players with a confirmed e-mail address play in this room:"
        " add one under Account, E-mail addresses, and open the link in its mail."
    )


class Excluded(Refusal):
    """Purchase by a player who excluded himself until a time."""

    code = "excluded"
    sentence = _("You excluded yourself from buying in until %(until)s.")


class ExclusionRefused(Refusal):
    """Exclusion outside its range, or one that would end before the present one."""

    code = "exclusion_refused"
    sentence = _("Choose 1 to %(most)s days; an exclusion is never shortened.")


class OwnEntriesReached(Refusal):
    """Entry beyond the number that the player allows himself in 24 hours."""

    code = "own_entries_reached"
    sentence = _("Your own limit is %(most)s entries in 24 hours, and you made %(made)s.")


class OwnMoneyReached(Refusal):
    """Buy-in beyond the money that the player allows himself in 7 days; minor units."""

    code = "own_money_reached"
    sentence = _(
        "This costs %(price)s; your own limit is %(most)s in 7 days, of which %(spent)s is spent."
    )
    money = frozenset({"price", "most", "spent"})


class SignUpRefused(Refusal):
    """New player breaks a rule for names, passwords or languages; `field` names the form field."""

    def __init__(self, code: str, field: str, sentence: str, **allowed: int) -> None:
        super().__init__(sentence, code=code, field=field, item=None, **allowed)


def words_of(refusal: Refusal) -> str:
    """Return the sentence of a refusal in the reader's language, its money as amounts."""
    values = {
        name: text(value) if name in refusal.money and isinstance(value, int) else value
        for name, value in refusal.allowed.items()
    }
    return filled(gettext(refusal.sentence), values)


def line_of(refusal: Refusal) -> str:
    """Return a refusal as one line: the wrong option, then the sentence."""
    words = words_of(refusal)
    return f"{refusal.field}: {words}" if refusal.field else words
