"""Refusals of commands by the table, before the hand engine sees them."""

from __future__ import annotations

from config.refusals import marked as _
from tables.engine.refusals import ActionRefusal


class StaleCommand(ActionRefusal):
    """The command names a hand or a turn that is over."""

    code = "stale_command"
    sentence = _("That turn is over; nothing was done.")


class NoHand(ActionRefusal):
    """No hand is being played."""

    code = "no_hand"
    sentence = _("No hand is being played right now.")


class AmountMissing(ActionRefusal):
    """A bet or raise without an amount, or another action with one."""

    code = "amount_missing"
    sentence = _("A bet or a raise needs an amount; other actions take none.")


class NoTimeBank(ActionRefusal):
    """The time bank is empty or running already."""

    code = "no_time_bank"
    sentence = _("Your time bank is empty or already running.")
